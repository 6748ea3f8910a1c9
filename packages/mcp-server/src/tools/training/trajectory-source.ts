import { type CollectedGroups, collectGroups } from '@heddle/agent-instrumentation/from-traces'
import { z } from 'zod'
import { inRange } from '../schema/common-arguments.ts'
import type { ToolContext } from '../tool-context.ts'

/** Which recorded attempts become trajectories. */
export const trajectorySource = {
  ...inRange,
  rollout_id: z.string().optional().describe('Only attempts of this rollout'),
  group_ids: z.array(z.string()).max(1_000).optional().describe('Only attempts of these groups'),
}

const Source = z.object(trajectorySource)
export type TrajectorySource = z.output<typeof Source>

const maxTraces = 2_000

/** The groups of attempts that name their trajectory and their group, with the rewards that were recorded. */
export function readTrajectories(
  { since, until, rollout_id, group_ids }: TrajectorySource,
  context: ToolContext,
  withoutLogprobs = true,
): Promise<CollectedGroups> {
  return collectGroups(
    { client: context.tracing, project: context.project().id, signal: context.signal },
    {
      filter: { since, until, rolloutId: rollout_id, groupIds: group_ids, recordedOnly: true },
      maxTraces,
      groupBy: { by: 'recorded' },
      reward: { from: 'recorded' },
      isPolicy: () => true,
      keepFailed: true,
      withoutLogprobs,
      onProgress: ({ read, total }) => context.report({ progress: read, total, message: `${read} of ${total} traces read` }),
    },
  )
}
