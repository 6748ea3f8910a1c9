import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import { parseJson } from '@heddle/json'
import { toPages } from '../../../payload/to-pages.ts'
import type { TableRowsStore } from '../../../records/tables/table-rows-store.ts'
import type { TablesStore } from '../../../records/tables/tables-store.ts'
import { EvaluationError } from './load-evaluation.ts'

/** Rows whose values are read together. */
const rowsAtOnce = 100

/** A row of a dataset with its position. */
export interface DatasetRow {
  position: number
  digest: string
  row: JsonObject
}

/** The rows of the table of a dataset. */
export interface DatasetRows {
  /** @throws EvaluationError where the table is not there */
  count(project: ProjectScope, table: string): Promise<number>
  /** In their order, in pages. */
  read(project: ProjectScope, table: string): AsyncIterable<DatasetRow[]>
}

export function createDatasetRows({ tables, rows }: { tables: TablesStore; rows: TableRowsStore }): DatasetRows {
  return {
    async count(project, digest) {
      const table = (await tables.find(project, [digest])).get(digest)
      if (table === undefined) throw new EvaluationError(`the table ${digest} of the dataset was not found in ${project.id}`)
      return table.row_count
    },
    async *read(project, digest) {
      const keys = await tables.select(project, { digest, row_digests: null, sort_by: [], limit: null, offset: 0 })
      for await (const block of keys) {
        for (const page of toPages(block, { first: rowsAtOnce, largest: rowsAtOnce })) {
          const found = await rows.read(
            project,
            page.map((key) => key.digest),
          )
          yield page.map((key) => ({ position: key.position, digest: key.digest, row: toRow(found.get(key.digest)) }))
        }
      }
    },
  }
}

function toRow(json: string | undefined): JsonObject {
  const value = json === undefined ? {} : parseJson(json, { loneSurrogates: 'keep' })
  return isJsonObject(value) ? value : {}
}
