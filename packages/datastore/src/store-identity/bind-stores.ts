import { type Analytical, StoreError } from '../analytical/analytical.ts'
import { readAnalyticalMark, writeAnalyticalMark } from '../analytical/store-mark.ts'
import type { StoreKind } from '../analytical/table-definition.ts'
import type { Blobs } from '../blobs/blobs.ts'
import type { KeyedLock } from '../locks/keyed-lock.ts'
import type { Database } from '../relational/database.ts'
import { chosenId, judgeMarks, type StoreMarks } from './judge-marks.ts'

export interface BindStoresOptions {
  analytical: Analytical
  database: Database
  blobs: Blobs
  locks: KeyedLock
  kind: StoreKind
  newId: () => string
  /**
   * Which marks may be put right: `missing` ones, as where only some places were restored; or `all`, where a person says that these places belong
   * together. Default none, but for those that no start has written yet.
   */
  accepts?: 'missing' | 'all'
}

/**
 * Sees to it that records, analytical tables and blobs are of one store, and gives an id to those that have none yet.
 * @throws StoreError `failed` that says what does not belong together and what to do; nothing is changed then.
 */
export async function bindStores({ locks, ...options }: BindStoresOptions): Promise<void> {
  await locks.withKeys(['store-identity'], async () => {
    const { database, analytical, blobs, kind, newId, accepts } = options
    const marks = await readMarks(options)
    const verdict = accepts === 'all' ? { id: chosenId(marks, newId()) } : judgeMarks(accepts ? unbound(marks) : marks, newId())
    if ('mismatch' in verdict) throw mismatch(verdict.mismatch)
    const { id } = verdict
    if (marks.records?.isBound && marks.analytical === id && marks.blobs === id) return
    // First, so that a start that is killed from here on is known to be under way.
    if (marks.records === undefined) await database.insertInto('store_identity').values({ id, is_bound: 0 }).execute()
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
    records: record && { id: record.id, isBound: record.is_bound === 1 },
    analytical: await readAnalyticalMark(analytical),
    blobs: await blobs.storeId(),
  }
}

/** As they would be before each place has the id. */
function unbound({ records, ...marks }: StoreMarks): StoreMarks {
  return { ...marks, records: records && { ...records, isBound: false } }
}

/** Marks the blobs. A full disk leaves it for the next start: this one serves what is there. */
async function isMarked(blobs: Blobs, id: string): Promise<boolean> {
  try {
    await blobs.setStoreId(id)
    return true
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'full') return false
    throw error
  }
}

function mismatch(what: string): StoreError {
  return new StoreError(
    'failed',
    `the stores do not belong together: ${what}; put back what is missing, or restore a backup into a new data folder, or, to go on with what is there, run \`heddle doctor --repair\``,
  )
}
