import type { Platform } from '../../platform.ts'
import type { OpenModel } from '../models/open-model.ts'
import type { OpenJob } from '../training-jobs/open-job.ts'
import { jobTrajectoriesHandlers } from './job-trajectories-handlers.ts'

/** What jobs of reinforcement learning learned from. */
export function createJobTrajectories({ blobs }: Platform, deps: { openJob: OpenJob; openModel: OpenModel }) {
  return { handlers: jobTrajectoriesHandlers({ blobs, ...deps }) }
}
