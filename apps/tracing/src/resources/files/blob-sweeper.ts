import { type Blobs, type KeyedLock, type Micros, sweepBlobs, type SweptBlobs } from '@heddle/datastore'
import type { FilesStore } from './files-store.ts'

export interface BlobSweeperOptions {
  files: Pick<FilesStore, 'findRecorded'>
  /** Blobs of this service alone. */
  blobs: Blobs
  locks: KeyedLock
  clock: () => Micros
  /** Default 24 hours: no upload takes that long. */
  graceMicros?: number
  /** Time between two sweeps, and before the first. Default 6 hours. */
  everyMs?: number
  onSwept?: (swept: SweptBlobs) => void
  onError: (error: unknown) => void
}

export interface BlobSweeper {
  /** Sweeps once, now. */
  sweep(): Promise<SweptBlobs>
  /** Ends the sweep under way, and those to come. */
  close(): Promise<void>
}

const hourMs = 3_600_000

/** Removes, from time to time, what uploads left behind that never became files. */
export function startBlobSweeper(options: BlobSweeperOptions): BlobSweeper {
  const { files, blobs, locks, clock, graceMicros = 24 * hourMs * 1000, everyMs = 6 * hourMs, onSwept, onError } = options
  const ended = new AbortController()
  let running: Promise<unknown> = Promise.resolve()
  const sweep = () =>
    sweepBlobs({ blobs, locks, findRecorded: (hashes) => files.findRecorded(hashes), now: clock(), graceMicros, signal: ended.signal })
  const timer = setInterval(() => {
    running = running.then(sweep).then(onSwept, onError)
  }, everyMs).unref()
  return {
    sweep,
    async close() {
      clearInterval(timer)
      ended.abort()
      await running
    },
  }
}
