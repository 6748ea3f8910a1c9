import {
  type Blobs,
  type KeyedLock,
  type Micros,
  type RepeatedSweep,
  repeatSweep,
  sweepBlobs,
  type SweepTimes,
  type SweptBlobs,
} from '@heddle/datastore'
import type { FilesStore } from './files-store.ts'

export interface BlobSweeperOptions extends SweepTimes<SweptBlobs> {
  files: Pick<FilesStore, 'findReferenced'>
  /** Blobs of this service alone. */
  blobs: Blobs
  locks: KeyedLock
  clock: () => Micros
  /** Default 24 hours: no upload takes that long. */
  graceMicros?: number
}

const dayMicros = 24 * 3_600_000_000

/** Removes, from time to time, what uploads left behind that never became files. */
export function startBlobSweeper({
  files,
  blobs,
  locks,
  clock,
  graceMicros = dayMicros,
  ...times
}: BlobSweeperOptions): RepeatedSweep<SweptBlobs> {
  const findReferenced: FilesStore['findReferenced'] = (hashes) => files.findReferenced(hashes)
  return repeatSweep((signal) => sweepBlobs({ blobs, locks, findReferenced, now: clock(), graceMicros, signal }), times)
}
