import { isTrainable, spreadOf, type TracedGroup } from '@heddle/agent-instrumentation/from-traces'
import { tracing } from '@heddle/core-api'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { inPages, inProject } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { readTrajectories, trajectorySource } from './trajectory-source.ts'

const Input = z.object({ ...inProject, ...trajectorySource, ...inPages(20, 100) })

const Output = z.object({
  trainable_groups: z.number(),
  groups: z.array(
    z.object({
      group_id: z.string(),
      trajectories: z.number(),
      trainable: z.boolean(),
      rewards: z.object({ min: z.number(), mean: z.number(), max: z.number(), std_dev: z.number() }).nullable(),
      dropped: z.array(z.object({ reason: z.string(), attempts: z.number() })),
    }),
  ),
})

/** What training would get from recorded attempts. */
export const trajectoriesPreview = defineTool({
  name: 'trajectories_preview',
  title: 'Preview trajectories',
  description:
    'Groups of attempts in traces for training, and why some are dropped. Traces need heddle.trajectory_id, heddle.group_id and heddle.reward.value. Example: {"since": "2026-11-16"}',
  toolset: 'training',
  operation: tracing.calls.streamQuery,
  input: Input,
  output: Output,
  run: preview,
})

async function preview(input: z.output<typeof Input>, context: ToolContext): Promise<Answer> {
  const { groups, warnings } = await readTrajectories(input, context)
  const trainable = groups.filter(isTrainable).length
  const { offset } = context.page
  const page = groups.slice(offset, offset + input.limit)
  return {
    headline:
      groups.length === 0 ? 'No trajectories were recorded in this range.' : `${trainable} of ${groups.length} groups can be trained on.`,
    data: { trainable_groups: trainable, groups: context.recorded(page.map(toLine)) },
    page: { key: 'groups', offset, total: groups.length, hasMore: offset + page.length < groups.length },
    warnings,
  }
}

function toLine(traced: TracedGroup) {
  const { trajectories } = traced.group
  return {
    group_id: traced.id,
    trajectories: trajectories.length,
    trainable: isTrainable(traced),
    rewards: spreadOf(trajectories.map(({ reward }) => reward)),
    dropped: [...traced.excluded].map(([reason, attempts]) => ({ reason, attempts })),
  }
}
