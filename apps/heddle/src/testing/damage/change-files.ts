import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Size of a page of a SQLite database, in bytes. */
export const pageBytes = 4_096

export function change(path: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path)
  edit(bytes)
  writeFileSync(path, bytes)
}

/** Flips a bit of the byte at a share of the file, from 0 to 1. */
export function flip(path: string, share: number): void {
  change(path, (bytes) => {
    const place = Math.min(bytes.length - 1, Math.floor(bytes.length * share))
    bytes[place] = (bytes[place] ?? 0) ^ 1
  })
}

/** Fills a page of a SQLite database with zeros; pages count from 1. */
export function zeroPage(path: string, page: number): void {
  change(path, (bytes) => bytes.fill(0, (page - 1) * pageBytes, page * pageBytes))
}

/** Copies a data folder that no process uses to a new folder in `into`; sockets are left out. */
export function copyFolder(from: string, into: string): string {
  const to = mkdtempSync(join(into, 'case-'))
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.sock') })
  return to
}

/**
 * The digests of the files that hold what was acknowledged: records, journals and blobs. Without the files of the engine, which it moves and merges,
 * without the index of the log of SQLite, which each reader creates again, and without empty files, which a reader makes.
 */
export function digestsOf(dataDir: string): Record<string, string> {
  const paths = ['heddle.db', 'heddle.db-wal', 'heddle.db-commits', ...filesIn(dataDir, 'blobs'), ...filesIn(dataDir, 'engine/journal')]
  const found = paths.filter((path) => existsSync(join(dataDir, path)) && statSync(join(dataDir, path)).size > 0)
  return Object.fromEntries(
    found.map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(dataDir, path)))
        .digest('hex'),
    ]),
  )
}

function filesIn(dataDir: string, folder: string): string[] {
  const place = join(dataDir, folder)
  if (!existsSync(place)) return []
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' }).toSorted()
  return names.map((name) => join(folder, name)).filter((path) => statSync(join(dataDir, path)).isFile())
}

export function remove(path: string): void {
  rmSync(path, { recursive: true, force: true })
}
