import { type CollectedGroups, collectGroups, type GroupBy, parseGroupBy } from '@heddle/agent-instrumentation/from-traces'
import { z } from 'zod'
import { ToolError } from '../../answer/tool-error.ts'
import { inRange } from '../schema/common-arguments.ts'
import type { ToolContext } from '../tool-context.ts'

/** Which recorded attempts become trajectories. */
export const trajectorySource = {
  ...inRange,
  rollout_id: z.string().optional(),
  group_ids: z.array(z.string()).max(1_000).optional(),
  group_by: z.string().default('recorded').describe('recorded, row, prompt, or a path such as inputs.question'),
}

const Source = z.object(trajectorySource)
export type TrajectorySource = z.output<typeof Source>

const maxTraces = 2_000

/**
 * The groups of recorded attempts, with the rewards that were recorded. By `recorded` groups, only attempts that name their trajectory.
 * @throws ToolError for an invalid `group_by`
 */
export function readTrajectories(
  { since, until, rollout_id, group_ids, group_by }: TrajectorySource,
  context: ToolContext,
  withoutLogprobs = true,
): Promise<CollectedGroups> {
  const groupBy = readGroupBy(group_by)
  return collectGroups(
    { client: context.tracing, project: context.project().id, signal: context.signal },
    {
      filter: { since, until, rolloutId: rollout_id, groupIds: group_ids, recordedOnly: groupBy.by === 'recorded' },
      maxTraces,
      groupBy,
      reward: { from: 'recorded' },
      isPolicy: () => true,
      keepFailed: true,
      withoutLogprobs,
      onProgress: ({ read, total }) => context.report({ progress: read, total, message: `${read} of ${total} traces read` }),
    },
  )
}

function readGroupBy(text: string): GroupBy {
  try {
    return parseGroupBy(text)
  } catch {
    throw new ToolError(
      'invalid',
      `group_by: ${JSON.stringify(text.slice(0, 100))} is not a grouping`,
      'Pass "recorded", "row", "prompt", or a path such as "inputs.question" or "attributes.task".',
    )
  }
}
