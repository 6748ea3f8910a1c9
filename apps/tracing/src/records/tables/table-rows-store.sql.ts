import { bind, inParts, type Micros, rowEncoder, type ScopedAnalytical, sql, tableRowsTable } from '@heddle/datastore'
import { timeSlices } from '@heddle/service-kit'
import type { TableRowsStore } from './table-rows-store.ts'

/** Bytes of one insert, about. */
const blockBytes = 8 * 1024 * 1024
/** Digests that one statement reads. With 40,000, which are 2 MB of parameters, the engine takes a hundred times as long. */
const digestsAtOnce = 15_000

export function sqlTableRowsStore(analytical: ScopedAnalytical, clock: () => Micros): TableRowsStore {
  return {
    async put(project, rows) {
      const version = BigInt(clock())
      const encoder = rowEncoder(tableRowsTable)
      const added = new Set<string>()
      const pace = timeSlices.begin()
      for (const { digest, json, bytes } of rows) {
        const turn = pace()
        if (turn) await turn
        if (added.has(digest)) continue
        added.add(digest)
        encoder.add({ project_id: project.id, digest, val: json, val_bytes: BigInt(bytes), version })
        if (encoder.byteLength >= blockBytes) await analytical.insert(tableRowsTable, encoder.finish())
      }
      await analytical.insert(tableRowsTable, encoder.finish())
    },

    async read(project, digests) {
      const found = new Map<string, string>()
      const possible = [...new Set(digests)].filter((digest) => !digest.includes('\0'))
      for (const part of inParts(possible, digestsAtOnce)) {
        const some = bind('Array(String)', part)
        const rows = await analytical
          .of(project)
          .rows<{ digest: string; val: string }>(
            sql`SELECT digest, val FROM heddle.table_rows WHERE project_id = ${bind('String', project.id)} AND digest IN ${some}`,
          )
        // A row that was stored twice may be returned twice.
        for (const { digest, val } of rows) found.set(digest, val)
      }
      return found
    },

    async totalBytes(project) {
      const [row] = await analytical
        .of(project)
        .rows<{ bytes: number }>(
          sql`SELECT toFloat64(sum(val_bytes)) AS bytes FROM heddle.table_rows FINAL WHERE project_id = ${bind('String', project.id)}`,
        )
      return row?.bytes ?? 0
    },
  }
}
