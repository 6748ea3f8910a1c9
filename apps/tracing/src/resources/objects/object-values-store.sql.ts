import { type Analytical, bind, type Micros, objectValuesTable, rowEncoder, sql } from '@heddle/datastore'
import { buildIndex } from '../../query/build-index.ts'
import type { ObjectValuesStore } from './object-values-store.ts'

/** Digests that one statement reads; values are up to a request large. */
const digestsAtOnce = 100

export function sqlObjectValuesStore(analytical: Analytical, clock: () => Micros): ObjectValuesStore {
  return {
    async put(project, { digest, val, json }) {
      const encoder = rowEncoder(objectValuesTable)
      encoder.add({ project_id: project.id, digest, val: json, ...buildIndex({ val }), version: BigInt(clock()) })
      await analytical.insert(objectValuesTable, encoder.finish())
    },

    async read(project, digests) {
      const found = new Map<string, string>()
      for (let at = 0; at < digests.length; at += digestsAtOnce) {
        const some = bind('Array(String)', digests.slice(at, at + digestsAtOnce))
        const rows = await analytical.rows<{ digest: string; val: string }>(
          sql`SELECT digest, val FROM heddle.object_values WHERE project_id = ${bind('String', project.id)} AND digest IN ${some} LIMIT 1 BY digest`,
        )
        for (const { digest, val } of rows) found.set(digest, val)
      }
      return found
    },
  }
}
