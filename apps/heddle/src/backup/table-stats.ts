import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TablePart } from '@heddle/datastore'
import { type HashedFile, hashFile, listFiles } from '../archive/hashed-files.ts'

/** What is in a table, as far as it can be compared with another one. */
export interface TableStats {
  /** All versions of all rows, also those that later ones replace. */
  rows: number
  parts: number
  /** Digest of the parts in any order: each file of each of them. Tables of the same digest hold the same bytes. */
  digest: string
}

/** Counts the changes to the definition of the one table that a part belongs to, so a restored part has another one. */
const ofItsTable = 'metadata_version.txt'

interface PartFiles {
  rows: number
  files: HashedFile[]
}

/** Files of the parts of a copy. Next to the parts are changes that the engine had not applied yet; it does not restore those. */
const ofPart = /^(data\/[^/]+\/[^/]+\/(?!mutations\/)[^/]+)\/(.+)$/

/** Stats of a copy in a folder, from the hashes of its files. @throws Error when a part lacks its number of rows */
export async function statsOfCopy(folder: string, files: readonly HashedFile[]): Promise<TableStats> {
  const parts = new Map<string, HashedFile[]>()
  for (const file of files) {
    const [, part, name] = ofPart.exec(file.path) ?? []
    if (part === undefined || name === undefined) continue
    const known = parts.get(part) ?? []
    known.push({ ...file, path: name })
    parts.set(part, known)
  }
  const found: PartFiles[] = []
  for (const [part, files] of parts) found.push({ files, rows: await readCount(join(folder, part, 'count.txt')) })
  return toStats(found)
}

/** Stats of a table, from reading every file of its parts on disk. */
export async function statsOfParts(parts: readonly TablePart[]): Promise<TableStats> {
  const found: PartFiles[] = []
  for (const { path, rows } of parts) {
    const files: HashedFile[] = []
    for (const name of await listFiles(path)) files.push(await hashFile(path, name))
    found.push({ rows, files })
  }
  return toStats(found)
}

async function readCount(path: string): Promise<number> {
  const rows = Number((await readFile(path, 'utf8')).trim() || Number.NaN)
  if (Number.isSafeInteger(rows)) return rows
  throw new Error(`${path} does not contain a row count`)
}

function toStats(parts: readonly PartFiles[]): TableStats {
  const digests = parts.map(({ files }) =>
    digestOf(files.filter(({ path }) => path !== ofItsTable).map(({ path, sha256 }) => `${path} ${sha256}`)),
  )
  return { rows: parts.reduce((sum, { rows }) => sum + rows, 0), parts: parts.length, digest: digestOf(digests) }
}

function digestOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex')
}
