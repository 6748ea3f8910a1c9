import type { Call, TrajectoryGroup } from '@heddle/core-api'
import { trajectoryAttribute } from '@heddle/core-api/attributes'
import { z } from 'zod'
import { groupBy } from '../group-by.ts'
import { Time } from '../schema/common-arguments.ts'
import type { ToolContext } from '../tool-context.ts'
import { valueAt } from '../pick-paths.ts'
import { toMessagesAndChoices } from './messages-and-choices.ts'

/** Which recorded attempts become trajectories. */
export const trajectorySource = {
  since: Time.optional(),
  until: Time.optional().describe('End of the range, exclusive'),
  rollout_id: z.string().optional().describe('Only attempts of this rollout'),
  group_ids: z.array(z.string()).max(1_000).optional().describe('Only attempts of these groups'),
}

const Source = z.object(trajectorySource)
export type TrajectorySource = z.output<typeof Source>

/** Why recorded attempts cannot teach anything. */
export type DropReason = 'no reward' | 'no choice of a model' | 'only one attempt' | 'equal rewards'

/** Attempts at one task, as training takes them, and what is known of them. */
export interface SourcedGroup {
  group_id: string
  /** Attempts that have a reward and a choice. */
  trajectories: SourcedTrajectory[]
  /** Of attempts that were left out, or of the whole group. */
  dropped: { reason: DropReason; attempts: number }[]
  /** False where training would learn nothing from it. */
  isTrainable: boolean
}

export interface SourcedTrajectory {
  trajectory_id: string
  trace_id: string
  reward: number
  tokens: number
  hasLogprobs: boolean
  messages_and_choices: object[]
  tools: unknown
  initial_policy_version: number | null
  final_policy_version: number | null
}

const maxCalls = 5_000
const maxCharacters = 128 * 2 ** 20
const columns = [
  'id',
  'trace_id',
  'parent_id',
  'op_name',
  'started_at',
  'ended_at',
  'exception',
  'inputs',
  'output',
  'attributes',
  'summary',
]

/** The groups of attempts that were recorded, and a warning where not all could be read. */
export async function readTrajectories(
  source: TrajectorySource,
  context: ToolContext,
): Promise<{ groups: SourcedGroup[]; warnings: string[] }> {
  const query = {
    project_id: context.project().id,
    query: { $expr: { $and: conditionsOf(source) } },
    sort_by: [{ field: 'started_at', direction: 'asc' as const }],
    columns,
    limit: maxCalls,
  }
  const calls: Call[] = []
  let characters = 0
  for await (const call of context.tracing.calls.streamQuery(query, { signal: context.signal, timeoutMs: 120_000 })) {
    calls.push(call)
    characters += JSON.stringify([call.inputs, call.output]).length
    if (characters > maxCharacters) break
  }
  const isCut = calls.length >= maxCalls || characters > maxCharacters
  const groups = [...groupBy(calls, (call) => textOf(attributeOf(call, trajectoryAttribute.groupId)))].map(([group_id, members]) =>
    toGroup(group_id, members),
  )
  return { groups, warnings: isCut ? [`only the first ${calls.length} calls were read; take a shorter range`] : [] }
}

function conditionsOf({ since, until, rollout_id, group_ids }: TrajectorySource): object[] {
  const field = (name: string) => ({ $getField: name })
  const attribute = (name: string) => field(`attributes.${name}`)
  return [
    { $convert: { input: attribute(trajectoryAttribute.trajectoryId), to: 'exists' } },
    ...(since === undefined ? [] : [{ $gte: [field('started_at'), { $literal: since / 1e6 }] }]),
    ...(until === undefined ? [] : [{ $lt: [field('started_at'), { $literal: until / 1e6 }] }]),
    ...(rollout_id === undefined ? [] : [{ $eq: [attribute(trajectoryAttribute.rolloutId), { $literal: rollout_id }] }]),
    ...(group_ids === undefined ? [] : [{ $in: [attribute(trajectoryAttribute.groupId), group_ids.map(($literal) => ({ $literal }))] }]),
  ]
}

function attributeOf({ attributes }: Call, name: string): unknown {
  return valueAt(attributes, name) ?? (Object.hasOwn(attributes, name) ? attributes[name] : undefined)
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function toGroup(group_id: string, calls: readonly Call[]): SourcedGroup {
  const attempts = [...groupBy(calls, (call) => textOf(attributeOf(call, trajectoryAttribute.trajectoryId)))].map(([id, members]) =>
    toTrajectory(id, members),
  )
  const trajectories = attempts.filter((one) => typeof one !== 'string')
  const dropped = [
    ...groupBy(
      attempts.filter((one) => typeof one === 'string'),
      (reason) => reason,
    ),
  ].map(([reason, members]) => ({ reason, attempts: members.length }))
  const useless =
    trajectories.length === 1
      ? 'only one attempt'
      : new Set(trajectories.map(({ reward }) => reward)).size === 1
        ? 'equal rewards'
        : undefined
  return {
    group_id,
    trajectories,
    dropped: useless === undefined ? dropped : [...dropped, { reason: useless, attempts: trajectories.length }],
    isTrainable: trajectories.length > 0 && useless === undefined,
  }
}

function toTrajectory(trajectory_id: string, calls: readonly Call[]): SourcedTrajectory | DropReason {
  const rewards = calls.map((call) => attributeOf(call, trajectoryAttribute.rewardValue)).filter((value) => typeof value === 'number')
  const reward = rewards.at(-1)
  if (reward === undefined) return 'no reward'
  const { messages_and_choices, tools, tokens, hasLogprobs, choices } = toMessagesAndChoices(calls)
  if (choices === 0) return 'no choice of a model'
  const versions = calls.map((call) => attributeOf(call, trajectoryAttribute.policyVersion)).filter((value) => typeof value === 'number')
  return {
    trajectory_id,
    trace_id: calls[0]?.trace_id ?? '',
    reward,
    tokens,
    hasLogprobs,
    messages_and_choices,
    tools,
    initial_policy_version: versions.length > 0 ? Math.min(...versions) : null,
    final_policy_version: versions.length > 0 ? Math.max(...versions) : null,
  }
}

/** The groups as the training service takes them. */
export function toTrajectoryGroups(groups: readonly SourcedGroup[]): TrajectoryGroup[] {
  const groupsToTrain = groups
    .filter(({ isTrainable }) => isTrainable)
    .map(({ group_id, trajectories }) => ({
      trajectories: trajectories.map(
        ({ trajectory_id, trace_id, reward, messages_and_choices, tools, initial_policy_version, final_policy_version }) => ({
          messages_and_choices,
          tools,
          reward,
          initial_policy_version,
          final_policy_version,
          metadata: { trajectory_id, trace_id },
        }),
      ),
      metadata: { group_id },
    }))
  return groupsToTrain as unknown as TrajectoryGroup[]
}
