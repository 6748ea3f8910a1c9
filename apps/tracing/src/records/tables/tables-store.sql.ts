import { type ScopedAnalytical, bind, digestsPerChunk, type Micros, rowEncoder, sql, tablesTable } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { atMost } from '@heddle/service-kit'
import { LRUCache } from 'lru-cache'
import { distinctRows, findMissing, selectRows, sumBytes } from '../../query/table-rows-query.ts'
import { inChunks } from './in-chunks.ts'
import type { RowKey, RowOfTable, RowsSelection, StoredTable, TablesStore } from './tables-store.ts'

/** Approximate bytes of one insert. */
const blockBytes = 4 * 1024 * 1024
/** Keys in memory at a time; fewer in the first block, so that the first rows arrive early. */
const firstBlock = 1_000
const largestBlock = 100_000
/** Cached tables without missing rows. */
const maxCompleteTables = 10_000

export function sqlTablesStore(analytical: ScopedAnalytical, clock: () => Micros): TablesStore {
  // Rows go only with their table, so a table without missing rows remains complete.
  const complete = new LRUCache<string, true>(atMost(maxCompleteTables))

  async function find(project: ProjectScope, digests: readonly string[]): Promise<Map<string, StoredTable>> {
    const possible = digests.filter((digest) => !digest.includes('\0'))
    if (possible.length === 0) return new Map()
    const tables = await analytical.of(project).rows<StoredTable & { chunks: number }>(
      sql`SELECT digest, toFloat64(max(row_count)) AS row_count, toFloat64(uniqExact(start)) AS chunks FROM heddle.tables
        WHERE project_id = ${bind('String', project.id)} AND digest IN ${bind('Array(String)', possible)} GROUP BY digest`,
    )
    const stored = tables.filter(({ row_count, chunks }) => chunks === Math.max(1, Math.ceil(row_count / digestsPerChunk)))
    return new Map(stored.map(({ digest, row_count }) => [digest, { digest, row_count }]))
  }

  async function hasAllRows(project: ProjectScope, { digest, row_count }: StoredTable): Promise<boolean> {
    const key = `${project.id}\0${digest}`
    if (complete.has(key)) return true
    const missing = await analytical.of(project).rows(findMissing({ projectId: project.id, tables: [digest], count: row_count }))
    if (missing.length === 0) complete.set(key, true)
    return missing.length === 0
  }

  /** Returns the function that reads a block of the selection. Without missing rows a position is located by range, without an offset scan. */
  async function blockReader(project: ProjectScope, table: StoredTable, { row_digests, sort_by }: RowsSelection) {
    const all = { projectId: project.id, tables: [table.digest], count: table.row_count, rowDigests: row_digests ?? undefined }
    const inOrder = row_digests === null && sort_by.length === 0 && (await hasAllRows(project, table))
    return ({ start, count }: { start: number; count: number }) => {
      const range = { start, end: start + count }
      return analytical
        .of(project)
        .rows<RowKey>(
          inOrder
            ? selectRows({ ...all, count, range }, { sortBy: [], limit: count, offset: 0 })
            : selectRows(all, { sortBy: sort_by, limit: count, offset: start }),
        )
    }
  }

  return {
    find,

    forget(project, digests) {
      for (const digest of digests) complete.delete(`${project.id}\0${digest}`)
    },

    async put(project, { digest, row_count, parts }) {
      const version = BigInt(clock())
      const encoder = rowEncoder(tablesTable)
      let start = 0
      for await (const row_digests of inChunks(parts, digestsPerChunk)) {
        encoder.add({ project_id: project.id, digest, start: BigInt(start), row_digests, row_count: BigInt(row_count), version })
        start += row_digests.length
        if (encoder.byteLength >= blockBytes) await analytical.insert(tablesTable, encoder.finish())
      }
      await analytical.insert(tablesTable, encoder.finish())
    },

    async readDigests(project, table, { start, count }) {
      const first = start - (start % digestsPerChunk)
      const chunks = await analytical.of(project).rows<{ row_digests: string[] }>(
        sql`SELECT row_digests FROM heddle.tables WHERE project_id = ${bind('String', project.id)} AND digest = ${bind('String', table)}
          AND start >= ${bind('UInt64', first)} AND start < ${bind('UInt64', start + count)} ORDER BY start LIMIT 1 BY start`,
      )
      return chunks.flatMap(({ row_digests }) => row_digests).slice(start - first, start - first + count)
    },

    async select(project, selection) {
      const table = (await find(project, [selection.digest])).get(selection.digest)
      if (table === undefined || selection.row_digests?.length === 0) return noBlocks()
      const readBlock = await blockReader(project, table, selection)
      const total = Math.min(selection.limit ?? Number.POSITIVE_INFINITY, Math.max(0, table.row_count - selection.offset))
      const blockAt = async (found: number, size: number) => {
        const count = Math.min(size, total - found)
        return count <= 0 ? [] : readBlock({ start: selection.offset + found, count })
      }
      const size = selection.sort_by.length > 0 ? largestBlock : firstBlock
      return blocksFrom(await blockAt(0, size), size, (found) => blockAt(found, largestBlock))
    },

    async findRows(project, rows) {
      const possible = rows.filter(({ table_digest, row_digest }) => !table_digest.includes('\0') && !row_digest.includes('\0'))
      const tables = [...(await find(project, [...new Set(possible.map(({ table_digest }) => table_digest))])).keys()]
      if (tables.length === 0) return []
      const rowDigests = [...new Set(possible.map(({ row_digest }) => row_digest))]
      return analytical.of(project).rows<RowOfTable>(distinctRows({ projectId: project.id, tables, count: rows.length, rowDigests }))
    },

    async sizes(project, tables) {
      if (tables.length === 0) return new Map()
      const count = tables.reduce((sum, { row_count }) => sum + row_count, 0)
      const digests = tables.map(({ digest }) => digest)
      const sums = await analytical
        .of(project)
        .rows<{ table_digest: string; bytes: number }>(sumBytes({ projectId: project.id, tables: digests, count }))
      return new Map(sums.map(({ table_digest, bytes }) => [table_digest, bytes]))
    },
  }
}

async function* noBlocks(): AsyncGenerator<RowKey[]> {}

async function* blocksFrom(first: RowKey[], size: number, blockAt: (found: number) => Promise<RowKey[]>): AsyncGenerator<RowKey[]> {
  let wanted = size
  let found = 0
  for (let block = first; block.length > 0; block = await blockAt(found)) {
    yield block
    found += block.length
    if (block.length < wanted) return
    wanted = largestBlock
  }
}
