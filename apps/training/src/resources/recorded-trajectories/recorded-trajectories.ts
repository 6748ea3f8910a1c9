import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { BodyReader } from '../../body-threads/body-reader.ts'
import type { KeepBlobs } from '../../keep-blobs.ts'
import type { Platform } from '../../platform.ts'
import type { OpenModel } from '../models/open-model.ts'
import type { StartRlJob } from '../training-jobs/start-rl-job.ts'
import { createBeginRecording } from './record-calls.ts'
import { recordedTrajectoriesHandlers } from './recorded-trajectories-handlers.ts'
import { sqlRecordedTrajectoriesStore } from './recorded-trajectories-store.sql.ts'

interface RecordedTrajectoriesOptions {
  openModel: OpenModel
  keepBlobs: KeepBlobs
  bodies: BodyReader
  startRlJob: StartRlJob
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
  assertDiskSpace: (() => Promise<void>) | undefined
}

/** How long a trajectory is kept that nothing is written to. */
const keptMicros = 30 * 24 * 3_600_000_000

/** Trajectories that the server records itself, from chat completions that name them. */
export function createRecordedTrajectories({ database, blobs, clock, newId }: Platform, on: RecordedTrajectoriesOptions) {
  const { openModel, keepBlobs, bodies, startRlJob, openProject, assertDiskSpace } = on
  const store = sqlRecordedTrajectoriesStore(database)
  return {
    handlers: recordedTrajectoriesHandlers({ store, blobs, bodies, openModel, startRlJob, clock }),
    beginRecording: createBeginRecording({ store, blobs, keepBlobs, openProject, assertDiskSpace, clock, newId }),
    /** Deletes expired trajectories in batches. Returns their number. */
    async sweep(now: Micros, signal: AbortSignal): Promise<number> {
      let swept = 0
      for (let some = 1; some > 0 && !signal.aborted; swept += some) some = await store.sweep(now - keptMicros)
      return swept
    },
  }
}
