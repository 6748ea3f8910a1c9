import type { Handlers, tracing } from '@heddle/core-api'
import type { TableRow } from '@heddle/core-api/types'
import { JsonText, notFound, tooLarge, type TableQuery } from '@heddle/core-api/internal'
import type { Context } from '@heddle/identity'
import type { RefProjectsFor } from '../../payload/ref-projects.ts'
import { hidePrivateRefs } from '../../payload/rewrite-refs.ts'
import { applyUpdates } from './apply-updates.ts'
import { checkTableQuery } from './check-table-query.ts'
import { createDigestList } from './digest-list.ts'
import { prepareRows } from './prepare-rows.ts'
import { readTableRows } from './read-table.ts'
import type { StoreTable } from './store-table.ts'
import type { TableRowsStore } from './table-rows-store.ts'
import type { TablesStore } from './tables-store.ts'

/** Characters of the rows in one answer that is not a stream. */
const maxAnswerLength = 256 * 1024 * 1024

export interface TablesDeps {
  tables: TablesStore
  rows: TableRowsStore
  storeTable: StoreTable
  refProjects: RefProjectsFor
}

export function tablesHandlers({ tables, rows, storeTable, refProjects }: TablesDeps): Handlers<typeof tracing.tables, Context> {
  async function readRows(query: TableQuery, context: Context): Promise<AsyncGenerator<JsonText<TableRow>>> {
    const project = await context.open(query.project_id)
    const keys = await tables.select(project, checkTableQuery(query))
    const { maySee } = refProjects(project, context)
    return readTableRows(rows, project, { keys, present: (json) => hidePrivateRefs(json, project.id, maySee) })
  }

  return {
    async create({ table }, context) {
      const project = await context.open(table.project_id)
      const prepared = await prepareRows(table.rows, refProjects(project, context))
      const row_digests = prepared.map(({ digest }) => digest)
      const { expected_digest } = table
      const digest = await storeTable(project, { parts: [row_digests], row_count: row_digests.length, rows: prepared, expected_digest })
      return { digest, row_digests }
    },

    async createFromDigests({ project_id, row_digests, expected_digest }, context) {
      const project = await context.open(project_id)
      const digest = await storeTable(project, { parts: [row_digests], row_count: row_digests.length, rows: [], expected_digest })
      return { digest }
    },

    async update({ project_id, base_digest, updates }, context) {
      const project = await context.open(project_id)
      const base = (await tables.find(project, [base_digest])).get(base_digest)
      if (base === undefined) throw notFound(`table ${JSON.stringify(base_digest.slice(0, 100))} not found in ${project_id}`)
      if (updates.length === 0) return { digest: base_digest, updated_row_digests: [] }
      const newRows = updates.flatMap((update) =>
        'append' in update ? [update.append.row] : 'insert' in update ? [update.insert.row] : [],
      )
      const prepared = await prepareRows(newRows, refProjects(project, context))
      const list = createDigestList(base.row_count, (range) => tables.readDigests(project, base_digest, range))
      const updated_row_digests = await applyUpdates(
        list,
        updates,
        prepared.map(({ digest }) => digest),
      )
      const digest = await storeTable(project, { parts: list.parts, row_count: list.length, rows: prepared, expected_digest: null })
      return { digest, updated_row_digests }
    },

    async query(query, context) {
      const records: string[] = []
      let length = 0
      for await (const { json } of await readRows(query, context)) {
        length += json.length
        if (length > maxAnswerLength)
          throw tooLarge(
            `the rows take more than ${maxAnswerLength} characters: ask for pages with limit and offset, or use /table/query_stream`,
          )
        records.push(json)
      }
      return new JsonText(`{"rows":[${records.join(',')}]}`)
    },

    queryStream: readRows,

    async queryStats({ project_id, digest }, context) {
      const project = await context.open(project_id)
      return { count: (await tables.find(project, [digest])).get(digest)?.row_count ?? 0 }
    },

    async queryStatsBatch({ project_id, digests, include_storage_size }, context) {
      const project = await context.open(project_id)
      const found = [...(await tables.find(project, [...new Set(digests)])).values()]
      const sizes = include_storage_size ? await tables.sizes(project, found) : undefined
      return {
        tables: found.map(({ digest, row_count }) => ({
          count: row_count,
          digest,
          storage_size_bytes: sizes === undefined ? null : (sizes.get(digest) ?? 0),
        })),
      }
    },
  }
}
