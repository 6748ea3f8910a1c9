import { type Analytical, callsTable, feedbackTable, sweepEndedRows } from '@heddle/datastore'
import { type RepeatedSweep, repeatSweep, type SweepTimes } from './repeat-sweep.ts'

interface SweptRows {
  deleted: number
}

export interface EndedRowsSweeperOptions extends SweepTimes<SweptRows> {
  analytical: Analytical
}

/** Takes from the disk, from time to time, what deleted calls and purged feedback held. */
export function startEndedRowsSweeper({ analytical, ...times }: EndedRowsSweeperOptions): RepeatedSweep<SweptRows> {
  return repeatSweep(async (signal) => {
    const calls = await sweepEndedRows({ analytical, table: callsTable, signal })
    const feedback = await sweepEndedRows({ analytical, table: feedbackTable, signal })
    return { deleted: calls.deleted + feedback.deleted }
  }, times)
}
