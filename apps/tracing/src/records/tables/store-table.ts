import { createHash } from 'node:crypto'
import { conflict } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import type { NewTableRow, TableRowsStore } from './table-rows-store.ts'
import type { NewTable, TablesStore } from './tables-store.ts'

/** A table that is about to be stored, and its rows that may be new. */
export interface TableDraft {
  parts: NewTable['parts']
  row_count: number
  rows: readonly NewTableRow[]
  /** Null: any digest will do. */
  expected_digest: string | null
}

/**
 * Stores a table with its rows, and returns its digest. Both are durable and readable when it resolves.
 * @throws 409 where the digest is not the expected one.
 */
export type StoreTable = (project: ProjectScope, draft: TableDraft) => Promise<string>

export function createStoreTable({ tables, rows }: { tables: TablesStore; rows: TableRowsStore }): StoreTable {
  return async (project, draft) => {
    const digest = await tableDigest(draft.parts)
    checkDigest(draft.expected_digest, digest)
    // Rows first: a table that can be seen has them.
    await rows.put(project, draft.rows)
    const known = await tables.find(project, [digest])
    if (!known.has(digest)) await tables.put(project, { digest, row_count: draft.row_count, parts: draft.parts })
    return digest
  }
}

function checkDigest(expected: string | null, digest: string): void {
  if (expected !== null && expected !== digest) throw conflict(`Client table digest ${expected} != server digest ${digest}`)
}

/** Digest of a table: SHA-256 over the row digests in order, with nothing between them, in hexadecimal. */
export async function tableDigest(parts: Iterable<readonly string[]> | AsyncIterable<readonly string[]>): Promise<string> {
  const hash = createHash('sha256')
  for await (const digests of parts) hash.update(digests.join(''))
  return hash.digest('hex')
}
