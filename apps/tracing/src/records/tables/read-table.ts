import type { TableRow } from '@heddle/core-api/types'
import { JsonText } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import { jsonString } from '@heddle/json'
import { toPages } from '../../payload/to-pages.ts'
import type { TableRowsStore } from './table-rows-store.ts'
import type { RowKey } from './tables-store.ts'

const firstPage = 100
const largestPage = 15_000

/** Reads rows by their keys, in pages that begin small so that the first ones arrive early. `present`: the text of a row as the caller may see it. */
export async function* readTableRows(
  rows: TableRowsStore,
  project: ProjectScope,
  { keys, present }: { keys: AsyncIterable<RowKey[]>; present: (json: string) => Promise<string> },
): AsyncGenerator<JsonText<TableRow>> {
  let size = firstPage
  for await (const block of keys) {
    for (const page of toPages(block, { first: size, largest: largestPage })) {
      const found = await rows.read(
        project,
        page.map(({ digest }) => digest),
      )
      for (const { digest, position } of page) {
        const json = found.get(digest)
        if (json === undefined) continue
        yield new JsonText(`{"digest":${jsonString(digest)},"val":${await present(json)},"original_index":${position}}`)
      }
    }
    size = largestPage
  }
}
