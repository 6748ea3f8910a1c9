import {
  type Analytical,
  callsTable,
  feedbackTable,
  type RepeatedSweep,
  repeatSweep,
  type SweepTimes,
  sweepTombstones,
} from '@heddle/datastore'

interface SweptRows {
  deleted: number
}

export interface TombstoneSweeperOptions extends SweepTimes<SweptRows> {
  analytical: Analytical
}

/** Takes from the disk, from time to time, what deleted calls and purged feedback held. */
export function startTombstoneSweeper({ analytical, ...times }: TombstoneSweeperOptions): RepeatedSweep<SweptRows> {
  return repeatSweep(async (signal) => {
    const calls = await sweepTombstones({ analytical, table: callsTable, signal })
    const feedback = await sweepTombstones({ analytical, table: feedbackTable, signal })
    return { deleted: calls.deleted + feedback.deleted }
  }, times)
}
