import type { Platform } from '../../platform.ts'
import { type JobTrajectoriesDeps, jobTrajectoriesHandlers } from './job-trajectories-handlers.ts'

/** What jobs of reinforcement learning learned from. */
export function createJobTrajectories({ blobs }: Platform, deps: Omit<JobTrajectoriesDeps, 'blobs'>) {
  return { handlers: jobTrajectoriesHandlers({ blobs, ...deps }) }
}
