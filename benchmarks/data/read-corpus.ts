import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const wantedLength = 8_000_000
const maxFileLength = 200_000
const maxDepth = 8

/**
 * Prose and code to cut payloads from, so that they compress like real ones: the documents and declarations of installed packages,
 * in the order of their names. ASCII only, so a character is a byte.
 * @throws Error when the folder holds less than a million characters of them.
 */
export function readCorpus(folder: string): string {
  const texts: string[] = []
  let length = 0
  function walk(path: string, depth: number): void {
    for (const entry of readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (length >= wantedLength) return
      const child = join(path, entry.name)
      if (entry.isDirectory() && depth < maxDepth) walk(child, depth + 1)
      if (!entry.isFile() || !/\.(md|d\.ts)$/i.test(entry.name)) continue
      const text = readFileSync(child, 'utf8')
        .slice(0, maxFileLength)
        .replaceAll(/[^\x20-\x7e\n]/g, ' ')
      texts.push(text)
      length += text.length
    }
  }
  walk(folder, 0)
  if (length < 1_000_000) throw new Error(`${folder} holds ${length} characters of documents; install the workspace first`)
  return texts.join('\n')
}
