import type { Micros } from '@heddle/datastore'
import { type RepeatedSweep, repeatSweep, type SweepTimes } from '../../../repeat-sweep.ts'
import { valueIsFreshMicros } from './cached-object-values.ts'
import { groupBy } from '../group-by.ts'
import type { ObjectValuesStore, StoredValueKey } from './object-values-store.ts'
import type { ObjectsStore } from '../objects-store.ts'

export interface SweptValues {
  examined: number
  deleted: number
}

export interface ValueSweeperOptions extends SweepTimes<SweptValues> {
  objects: Pick<ObjectsStore, 'findNamed' | 'markValueDeleted'>
  values: Pick<ObjectValuesStore, 'storedBefore' | 'deleteStoredBefore'>
  clock: () => Micros
}

/** Far longer than a writer takes from storing a value to publishing it, and than a backup from the records to the values. */
const graceMicros = 24 * valueIsFreshMicros
/** Deletes in one statement. */
const deletedAtOnce = 800
/** Of one sweep, since each statement writes large parts of the table again; the next sweep goes on. */
const maxDeleted = 100_000

/**
 * Removes, from time to time, values that no version names any more: of deleted versions, and of writers that were killed before they
 * published. A value stays for a day after it was stored and after its last version was deleted, so whoever publishes it meanwhile, and has
 * stored it again therefore, still has it.
 */
export function startValueSweeper({ objects, values, clock, ...times }: ValueSweeperOptions): RepeatedSweep<SweptValues> {
  async function sweepOnce(signal: AbortSignal): Promise<SweptValues> {
    const before = clock() - graceMicros
    const swept: SweptValues = { examined: 0, deleted: 0 }
    for await (const page of values.storedBefore(before)) {
      if (signal.aborted) break
      swept.examined += page.length
      const named = await objects.findNamed(page, before)
      const orphans = page.filter((key) => !named.has(key))
      for (const [projectId, digests] of byProject(orphans)) {
        await values.deleteStoredBefore(projectId, digests, before)
        await objects.markValueDeleted(projectId, digests, clock())
        swept.deleted += digests.length
      }
      if (swept.deleted >= maxDeleted) break
    }
    return swept
  }
  return repeatSweep(sweepOnce, times)
}

/** Digests by project, in parts. */
function* byProject(keys: readonly StoredValueKey[]): Generator<[projectId: string, digests: string[]]> {
  const groups = groupBy(keys, ({ project_id }) => project_id)
  for (const [projectId, group] of groups) {
    const digests = group.map(({ digest }) => digest)
    for (let at = 0; at < digests.length; at += deletedAtOnce) yield [projectId, digests.slice(at, at + deletedAtOnce)]
  }
}
