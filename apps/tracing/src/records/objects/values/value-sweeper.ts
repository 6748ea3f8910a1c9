import { inParts, type Micros } from '@heddle/datastore'
import { type RepeatedSweep, repeatSweep, type SweepTimes } from '@heddle/datastore'
import { freshMicros } from './cached-object-values.ts'
import { groupBy } from '../../../group-by.ts'
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

/** Grace period: far longer than a writer takes between storing a value and publishing it, and a backup between copying records and values. */
const graceMicros = 24 * freshMicros
/** Maximum deletes per statement. */
const deletedAtOnce = 800
/** Maximum deletes per sweep, since each statement rewrites large parts of the table; the next sweep continues. */
const maxDeleted = 100_000

/**
 * Periodically removes values that no version references: those of deleted versions, and of writers that were killed before they
 * published. A value is kept for a day after it was last stored and after its last version was deleted, so a concurrent publisher, which
 * stores the value again first, never loses it.
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

/** Digests by project, in batches. */
function* byProject(keys: readonly StoredValueKey[]): Generator<[projectId: string, digests: string[]]> {
  const groups = groupBy(keys, ({ project_id }) => project_id)
  for (const [projectId, group] of groups) {
    const digests = group.map(({ digest }) => digest)
    for (const some of inParts(digests, deletedAtOnce)) yield [projectId, some]
  }
}
