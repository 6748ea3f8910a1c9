import { training } from '@heddle/core-api'
import { checkBody, type TrajectoryLimits } from './check-body.ts'

/** Fields besides the trajectory groups, by operation. */
const fieldsOf = {
  'trainingJobs.create': training.trainingJobs.create.body.omit({ trajectory_groups: true }),
  'trajectories.log': training.trajectories.log.body.omit({ trajectory_groups: true }),
}

export interface RequestToCheck {
  operation: keyof typeof fieldsOf
  limits: TrajectoryLimits
}

/** Checks the body of a request, and yields its fields besides the groups. @throws as `checkBody` */
export async function* checkRequest(
  content: AsyncIterable<Uint8Array>,
  { operation, limits }: RequestToCheck,
  signal: AbortSignal,
): AsyncGenerator<Record<string, unknown>> {
  yield await checkBody({ content, fields: fieldsOf[operation], limits, signal })
}
