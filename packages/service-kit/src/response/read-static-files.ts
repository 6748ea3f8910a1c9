import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/** One form of a file, as it is sent. */
export interface StaticVariant {
  /** Content-Encoding; absent for the file itself. */
  encoding?: 'br' | 'gzip'
  bytes: Uint8Array<ArrayBuffer>
  /** Strong, in quotation marks: another one for every other content. */
  etag: string
}

/** A file and its compressed forms, which are next to it. */
export interface StaticFile {
  /** Below the folder, with a slash in front: `/assets/index-4fGh7_kQ.js`. */
  path: string
  /** In the order of preference; the last one is the file itself. */
  variants: readonly StaticVariant[]
}

const encodings = [
  { ending: '.br', encoding: 'br' },
  { ending: '.gz', encoding: 'gzip' },
] as const

/** Paths whose characters are unchanged in a URL. */
const plainPath = /^(?:\/[\w@~-][\w.@~-]*)+$/

/**
 * Reads a folder whole, so that no path of a request ever becomes the path of a file. Leaves out links and names that begin with a dot.
 * `x.br` and `x.gz` are variants of `x` where that is there.
 * @throws Error for a name that a URL would change, or when the files have more than `maxBytes` in all
 */
export async function readStaticFiles(folder: string, maxBytes: number): Promise<StaticFile[]> {
  const contents = await readContents(folder, maxBytes)
  const isVariant = (path: string) => encodings.some(({ ending }) => path.endsWith(ending) && contents.has(path.slice(0, -ending.length)))
  const variantOf = (path: string, encoding?: 'br' | 'gzip'): StaticVariant[] => {
    const bytes = contents.get(path)
    return bytes ? [{ ...(encoding && { encoding }), bytes, etag: etagOf(bytes) }] : []
  }
  return [...contents.keys()]
    .filter((path) => !isVariant(path))
    .map((path) => {
      const compressed = encodings.flatMap(({ ending, encoding }) => variantOf(path + ending, encoding))
      return { path, variants: [...compressed, ...variantOf(path)] }
    })
}

async function readContents(folder: string, maxBytes: number): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const contents = new Map<string, Uint8Array<ArrayBuffer>>()
  let left = maxBytes
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, file).replaceAll(sep, '/')}`
    if (!entry.isFile() || path.includes('/.')) continue
    if (!plainPath.test(path)) throw new Error(`cannot serve ${file}: its path may only contain letters, digits and -._~@`)
    const bytes = Uint8Array.from(await readFile(file))
    left -= bytes.byteLength
    if (left < 0) throw new Error(`cannot serve ${folder}: its files have more than ${maxBytes} bytes`)
    contents.set(path, bytes)
  }
  return contents
}

/** ETag of a form of a file with these bytes. */
export const etagOf = (bytes: Uint8Array) => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
