import { type Micros, repeatSweep, type RepeatedSweep } from '@heddle/datastore'
import type { ServiceLog } from '@heddle/service-kit'
import type { DeletionsStore } from './deletions-store.ts'

/** Longer than the lists of a deletion take before it begins. */
const listingMicros = 3_600_000_000
/** How long deletions that have ended are shown. */
const shownMicros = 7 * 86_400_000_000

interface DeletionsUpkeepDeps {
  deletions: Pick<DeletionsStore, 'resume' | 'forgetEnded'>
  /** Removes ids listed before a time by deletions that never began. */
  removeAbandonedLists: (before: Micros, signal: AbortSignal) => Promise<void>
  clock: () => Micros
  log: ServiceLog | undefined
}

/**
 * Continues deletions whose jobs have failed or were lost with their server, now and once an hour, forgets those that ended a week ago, and removes
 * the lists of deletions that never began.
 */
export function startDeletionsUpkeep({ deletions, removeAbandonedLists, clock, log }: DeletionsUpkeepDeps): RepeatedSweep<void> {
  const upkeep = async (signal: AbortSignal) => {
    await deletions.resume()
    await deletions.forgetEnded(clock() - shownMicros)
    await removeAbandonedLists(clock() - listingMicros, signal)
  }
  return repeatSweep(upkeep, {
    everyMs: 3_600_000,
    isFirstNow: true,
    onError: (error) => log?.error({ err: error }, 'failed to resume deletions; will retry in an hour'),
  })
}
