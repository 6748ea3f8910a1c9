import type { Analytical } from '../analytical/analytical.ts'
import { StoreError } from '../work/store-error.ts'
import { readAnalyticalMark, writeAnalyticalMark } from '../analytical/store-mark.ts'
import type { StoreKind } from '../analytical/table-definition.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { serverWork } from '../work/work-scope.ts'
import type { KeyedLock } from '../locks/keyed-lock.ts'
import type { Database } from '../relational/database.ts'
import { chosenId, checkStoreIds, type StoreMarks } from './check-store-ids.ts'

export interface BindStoresOptions {
  analytical: Analytical
  database: Database
  blobs: Blobs
  locks: KeyedLock
  kind: StoreKind
  newId: () => string
  /**
   * Which marks may be repaired: `missing` ones, as after only some stores were restored; or `all`, when an operator declares that the stores belong
   * together. Default none, except marks that no start has written yet.
   */
  accepts?: 'missing' | 'all'
}

/**
 * Ensures that relational store, analytical tables and blobs belong together, and marks those without an id.
 * @throws StoreError `failed`, before any change, that names the mismatch and the remedy.
 */
export async function bindStores({ locks, ...options }: BindStoresOptions): Promise<void> {
  await locks.withKeys(serverWork, ['store-identity'], async () => {
    const { database, analytical, blobs, kind, newId, accepts } = options
    const marks = await readMarks(options)
    const verdict = accepts === 'all' ? { id: chosenId(marks, newId()) } : checkStoreIds(accepts ? unbound(marks) : marks, newId())
    if ('mismatch' in verdict) throw mismatchError(verdict.mismatch)
    const { id } = verdict
    if (marks.relational?.isBound && marks.analytical === id && marks.blobs === id) return
    // First, so that a start that is killed after this point is recognised as incomplete.
    if (marks.relational === undefined) await database.insertInto('store_identity').values({ id, is_bound: 0 }).execute()
    if (marks.analytical !== id) await writeAnalyticalMark({ analytical, kind, id })
    if (marks.blobs !== id && !(await isMarked(blobs, id))) return
    await database.updateTable('store_identity').set({ is_bound: 1 }).execute()
  })
}

async function readMarks({
  database,
  analytical,
  blobs,
}: Pick<BindStoresOptions, 'database' | 'analytical' | 'blobs'>): Promise<StoreMarks> {
  const [record] = await database.selectFrom('store_identity').selectAll().execute()
  return {
    relational: record && { id: record.id, isBound: record.is_bound === 1 },
    analytical: await readAnalyticalMark(analytical),
    blobs: await blobs.storeId(),
  }
}

/** The marks as if not all stores had had the id yet. */
function unbound({ relational, ...marks }: StoreMarks): StoreMarks {
  return { ...marks, relational: relational && { ...relational, isBound: false } }
}

/** Marks the blobs. False on a full disk: the next start tries again, and this one can still serve reads. */
async function isMarked(blobs: Blobs, id: string): Promise<boolean> {
  try {
    await blobs.setStoreId(id)
    return true
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'full') return false
    throw error
  }
}

export function mismatchError(mismatch: string): StoreError {
  return new StoreError(
    'failed',
    `the stores do not belong together: ${mismatch}; put back what is missing, or restore a backup into a new data folder, or run \`heddle doctor --repair\` to continue with the stores as they are`,
  )
}
