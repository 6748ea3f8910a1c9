import { readFileSync, statSync } from 'node:fs'
import type { KnownColumn } from '../engine-config.ts'

/** Searching more rows for texts takes about as long as analyzing the expressions that compute their columns. */
const maxBytes = 64 * 1024

/** The values, as SQL, that columns have in all rows of a file, by the names of these columns. None of a file that is longer, or cannot be read. */
export function knownValues(path: string, columns: readonly KnownColumn[]): ReadonlyMap<string, string> {
  const rows = columns.length === 0 ? undefined : readShort(path)
  const known = rows === undefined ? [] : columns.filter(({ texts }) => !texts.some((text) => rows.includes(text)))
  return new Map(known.map(({ name, value }) => [name, value]))
}

/** The engine itself says what is wrong with a file. */
function readShort(path: string): Buffer | undefined {
  try {
    return statSync(path).size > maxBytes ? undefined : readFileSync(path)
  } catch {
    return undefined
  }
}
