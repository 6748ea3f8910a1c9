import type { TracingClient } from '../../connect.ts'
import { createKeptRecords, type KeptRecords } from '../kill-points/kept-records.ts'
import type { Work } from './work.ts'

/** Records of all kinds, each written once: what has no answer is not known to be stored. */
export function writtenRecords({ once, again }: { once: TracingClient; again: TracingClient }): Work & { records: KeptRecords } {
  const records = createKeptRecords()
  return { name: 'records', records, step: () => records.write(once), faults: () => records.faults(again) }
}
