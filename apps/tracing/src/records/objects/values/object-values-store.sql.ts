import { bind, type DeletingAnalytical, inParts, type Micros, objectValuesTable, rowEncoder, serverChange, sql } from '@heddle/datastore'
import { buildIndex } from '../../../query/build-index.ts'
import type { ObjectValuesStore, StoredValueKey } from './object-values-store.ts'

/** Digests that one statement reads; values are up to a request large. */
const digestsAtOnce = 100
/** Keys of one page. */
const keysAtOnce = 10_000

export function sqlObjectValuesStore(analytical: DeletingAnalytical, clock: () => Micros): ObjectValuesStore {
  async function deleteStoredBefore(projectId: string, digests: readonly string[], time: Micros): Promise<void> {
    if (digests.length === 0) return
    const some = sql`project_id = ${bind('String', projectId)} AND digest IN ${bind('Array(String)', digests)}`
    await analytical.deleteRows(objectValuesTable, sql`${some} AND version < ${bind('UInt64', time)}`)
  }

  return {
    deleteStoredBefore,

    async remove(project, keys, findNamed) {
      const before = clock()
      const named = await findNamed(keys)
      const digests = keys.filter((key) => !named.has(key)).map(({ digest }) => digest)
      await deleteStoredBefore(project.id, digests, before)
      return digests
    },

    async put(project, { digest, val, json }) {
      const encoder = rowEncoder(objectValuesTable)
      encoder.add({ project_id: project.id, digest, val: json, ...buildIndex({ val }), version: BigInt(clock()) })
      await analytical.insert(objectValuesTable, encoder.finish())
    },

    async read(project, digests) {
      const found = new Map<string, string>()
      for (const part of inParts(digests, digestsAtOnce)) {
        const some = bind('Array(String)', part)
        const rows = await analytical
          .of(project)
          .rows<{ digest: string; val: string }>(
            sql`SELECT digest, val FROM heddle.object_values WHERE project_id = ${bind('String', project.id)} AND digest IN ${some} LIMIT 1 BY digest`,
          )
        for (const { digest, val } of rows) found.set(digest, val)
      }
      return found
    },

    async *storedBefore(time) {
      let last: StoredValueKey = { project_id: '', digest: '' }
      for (;;) {
        const after = sql`(project_id, digest) > (${bind('String', last.project_id)}, ${bind('String', last.digest)})`
        const page = await analytical.of(serverChange).rows<StoredValueKey>(
          sql`SELECT project_id, digest FROM heddle.object_values WHERE ${after}
            GROUP BY project_id, digest HAVING max(version) < ${bind('UInt64', time)} ORDER BY project_id, digest LIMIT ${bind('UInt64', keysAtOnce)}`,
        )
        if (page.length > 0) yield page
        const end = page.at(-1)
        if (end === undefined || page.length < keysAtOnce) return
        last = end
      }
    },
  }
}
