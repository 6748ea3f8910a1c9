import type { BodyReader } from '../../body-threads/body-reader.ts'
import type { KeepBlobs } from '../../keep-blobs.ts'
import type { Platform } from '../../platform.ts'
import type { RepeatsStore } from '../../repeats/repeats-store.ts'
import type { TrajectoryLimits } from '../../request-body/check-body.ts'
import type { CheckpointsStore } from '../checkpoints/checkpoints-store.ts'
import type { OpenModel } from '../models/open-model.ts'
import { trajectoriesHandlers } from './trajectories-handlers.ts'
import { sqlTrajectoriesStore } from './trajectories-store.sql.ts'

interface TrajectoriesOptions {
  repeats: RepeatsStore
  checkpoints: CheckpointsStore
  openModel: OpenModel
  keepBlobs: KeepBlobs
  bodies: BodyReader
  limits: TrajectoryLimits
}

/** Rollouts that were logged. */
export function createTrajectories({ database, blobs, clock, newId }: Platform, { repeats, checkpoints, ...on }: TrajectoriesOptions) {
  const store = sqlTrajectoriesStore(database, { repeats, checkpoints })
  return { handlers: trajectoriesHandlers({ store, blobs, clock, newId, ...on }) }
}
