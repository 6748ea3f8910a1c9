import { trajectoryAttribute } from '@heddle/core-api/attributes'
import { areEqualRewards } from '@heddle/core-api/histories'
import { assertFiniteOptions } from '@heddle/core-api/internal'
import { stringifyJson } from '@heddle/json/exact'
import { contentId } from '../sending/content-id.ts'
import { hasUnknownTokens, logprobsOf } from '../trajectory/find-logprobs.ts'
import type { RecordedGroup } from '../trajectory/recorded.ts'
import { type GroupBy, groupKeyOf } from './attempts/group-key.ts'
import { defaultMaxTraces, findTraces, type FoundTraces, readTraces, type Selection, type TraceSource } from './attempts/read-traces.ts'
import { createRewardHints } from './rewards/reward-hints.ts'
import { rewardOf, type RewardSource } from './rewards/reward-source.ts'
import { type AttemptCalls, splitAttempts } from './attempts/split-attempts.ts'
import { type TracedTrajectory, toTrajectory, type ToTrajectoryOptions, type Unusable } from './attempts/to-trajectory.ts'

/** Why an attempt or a whole group is not trained on. */
export type Exclusion =
  | Unusable
  | 'no reward'
  | 'no group'
  | 'no log-probabilities'
  | 'tool calls without tokens'
  | 'too long'
  | 'in several traces'
  | 'trace too large'
  | 'more than a job takes'
  | 'only one attempt'
  | 'equal rewards'
  | 'not judged'

/** Attempts at one task, as training takes them. */
export interface TracedGroup {
  /** The recorded id, or a digest of the value that its attempts share. */
  id: string
  group: RecordedGroup
  /** Sizes of its trajectories, in the same order. */
  sizes: Pick<TracedTrajectory, 'longest' | 'tokens'>[]
  /** Excluded attempts by reason. */
  excluded: Map<Exclusion, number>
}

export interface CollectOptions extends ToTrajectoryOptions {
  filter: Selection['filter']
  /** Default 10,000. */
  maxTraces?: number
  groupBy: GroupBy
  reward: RewardSource
  /** Keeps attempts without log-probabilities, which are then trained on with a ratio of 1. */
  withoutLogprobs: boolean
  /** Most tokens of the model; longer conversations are excluded. */
  maxTokens?: number | undefined
  /** Called after each batch of traces. */
  onProgress?: (progress: { read: number; total: number; trajectories: number }) => void
}

export interface CollectedGroups {
  traces: number
  groups: TracedGroup[]
  /** Attempts that belong to no group, by reason. */
  excluded: Map<Exclusion, number>
  warnings: string[]
}

/** Characters of JSON that a job takes, below the 256 MiB of a request. */
export const maxCharactersOfJob = 240 * 2 ** 20

/**
 * Rebuilds groups of trajectories from traces, a few traces at a time. Memory is bounded by the limits of one job.
 * @throws RangeError for an option or a limit of the filter that is not finite
 */
export async function collectGroups(source: TraceSource, options: CollectOptions): Promise<CollectedGroups> {
  const { filter, maxTraces = defaultMaxTraces, reward, onProgress } = options
  assertFiniteOptions({ ...options, ...filter })
  const withFeedback = reward.from === 'feedback' || reward.from === 'scorer'
  const found = await findTraces(source, { filter, maxTraces, withFeedback })
  const collection = createCollection(options)
  const chosen = filter.op === undefined ? undefined : found.callIds
  let read = 0
  for await (const batch of readTraces(source, found.traceIds, withFeedback)) {
    if (batch.calls === null) collection.exclude('trace too large')
    else for (const attempt of splitAttempts(batch.calls, chosen)) collection.add(attempt)
    read += batch.traceIds.length
    onProgress?.({ read, total: found.traceIds.length, trajectories: collection.size() })
  }
  const groups = collection.groups()
  if (reward.from !== 'ruler') for (const group of groups) excludeUseless(group)
  const warnings = [...warningsOn(found, { project: source.project, recordedOnly: filter.recordedOnly ?? false }), ...collection.warnings()]
  return { traces: read, groups, excluded: collection.excluded, warnings }
}

function warningsOn({ traceIds, isCut }: FoundTraces, { project, recordedOnly }: { project: string; recordedOnly: boolean }): string[] {
  if (isCut) return [`only the oldest ${traceIds.length} traces that match were read; narrow the filter for the others`]
  if (traceIds.length > 0) return []
  const reason = recordedOnly
    ? ` that names its trajectory (${trajectoryAttribute.trajectoryId}); group by prompt, row or a path for others`
    : ''
  return [`project ${project} has no trace that matches the filter${reason}`]
}

function createCollection(options: CollectOptions) {
  const groups = new Map<string, TracedGroup>()
  const excluded = new Map<Exclusion, number>()
  const seen = new Set<string>()
  const hints = createRewardHints(options.reward)
  let isRewarded = options.reward.from === 'ruler'
  let hasUnrewarded = false
  let characters = 0

  function groupFor(key: string): TracedGroup {
    const id = options.groupBy.by === 'recorded' ? key : contentId(key)
    const group = groups.get(key) ?? { id, group: emptyGroup(id), sizes: [], excluded: new Map<Exclusion, number>() }
    groups.set(key, group)
    return group
  }

  function problemOf({ trajectory, longest }: TracedTrajectory, reward: number | undefined): Exclusion | undefined {
    if (reward === undefined && options.reward.from !== 'ruler') return 'no reward'
    return attemptProblem({ trajectory, longest }, options)
  }

  return {
    excluded,
    groups: () => [...groups.values()],
    size: () => seen.size,
    /** Where no attempt has a reward: why. */
    warnings: () => (hasUnrewarded && !isRewarded ? [hints.text()] : []),
    exclude: (reason: Exclusion) => countExclusion(excluded, reason),
    add(attempt: AttemptCalls) {
      const built = toTrajectory(attempt, options)
      if (typeof built === 'string') return countExclusion(excluded, built)
      if (seen.has(attempt.id)) return countExclusion(excluded, 'in several traces')
      const key = groupKeyOf(attempt, built.trajectory, options.groupBy)
      if (key === undefined) return countExclusion(excluded, 'no group')
      const to = groupFor(key)
      const reward = rewardOf(attempt, options.reward)
      isRewarded ||= reward !== undefined
      if (reward === undefined) {
        hasUnrewarded = true
        hints.add(attempt)
      }
      const problem = problemOf(built, reward)
      if (problem) return countExclusion(to.excluded, problem)
      characters += stringifyJson(built.trajectory).length
      if (characters > maxCharactersOfJob) return countExclusion(to.excluded, 'more than a job takes')
      seen.add(attempt.id)
      to.group.trajectories.push({ ...built.trajectory, reward: reward ?? 0 })
      to.sizes.push({ longest: built.longest, tokens: built.tokens })
    },
  }
}

/** What keeps training from learning from an attempt, whatever its group. */
export function attemptProblem(
  { trajectory, longest }: Pick<TracedTrajectory, 'trajectory' | 'longest'>,
  { withoutLogprobs, maxTokens }: Pick<CollectOptions, 'withoutLogprobs' | 'maxTokens'>,
): Exclusion | undefined {
  if (!withoutLogprobs && logprobsOf(trajectory) === 'none') return 'no log-probabilities'
  if (withoutLogprobs && hasUnknownTokens(trajectory)) return 'tool calls without tokens'
  return maxTokens !== undefined && longest > maxTokens ? 'too long' : undefined
}

function emptyGroup(id: string): RecordedGroup {
  return { trajectories: [], exceptions: [], metadata: { group_id: id }, metrics: {}, logs: [] }
}

/** Counts the attempts of a group that teaches nothing as omitted. */
export function excludeUseless(traced: TracedGroup): void {
  const { trajectories } = traced.group
  if (trajectories.length === 0 || isTrainable(traced)) return
  countExclusion(traced.excluded, trajectories.length === 1 ? 'only one attempt' : 'equal rewards', trajectories.length)
}

/** Whether training learns something from the group. */
export function isTrainable({ group }: TracedGroup): boolean {
  return !areEqualRewards(group.trajectories.map(({ reward }) => reward))
}

/** The groups that are trained on, as they travel. */
export function trainableGroups(groups: readonly TracedGroup[]): RecordedGroup[] {
  return groups.filter(isTrainable).map(({ group }) => group)
}

export function countExclusion(counts: Map<Exclusion, number>, reason: Exclusion, by = 1): void {
  counts.set(reason, (counts.get(reason) ?? 0) + by)
}
