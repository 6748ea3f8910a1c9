import type { JsonObject } from '@heddle/core-api'
import { assertFiniteOptions } from '@heddle/core-api/internal'
import { stringifyJson } from '@heddle/json/exact'
import { isJsonObject, objectsOf } from '../capture/json-values.ts'
import {
  attemptProblem,
  type CollectedGroups,
  countExclusion,
  excludeUseless,
  type Exclusion,
  maxCharactersOfJob,
  type TracedGroup,
} from './collect-groups.ts'
import type { RecordedGroup, RecordedTrajectory } from '../trajectory/recorded.ts'

/** A given group with its line number. */
export interface GivenGroup extends TracedGroup {
  line: number
  /** Indexes in the line of the trajectories that are kept. */
  places: number[]
  /** The trajectories to train on, as given; in `group`, omitted fields have the defaults of the training service. */
  given: RecordedGroup
}

export interface CollectGivenOptions {
  /** Keeps attempts without log-probabilities, which are then trained on with a ratio of 1. */
  withoutLogprobs: boolean
  /** Most tokens of the model; longer conversations are excluded if their tokens are known. */
  maxTokens?: number | undefined
  /** Called after each group. */
  onProgress?: (progress: { groups: number; trajectories: number }) => void
}

/**
 * Collects existing groups, such as those of a file, for the same report and job as groups from traces. Memory is bounded by the limits of one job.
 * @throws RangeError for an option that is not finite
 */
export async function collectGivenGroups(
  lines: AsyncIterable<{ line: number; group: RecordedGroup }>,
  options: CollectGivenOptions,
): Promise<Omit<CollectedGroups, 'groups'> & { groups: GivenGroup[] }> {
  assertFiniteOptions(options)
  const groups: GivenGroup[] = []
  let characters = 0
  let trajectories = 0
  for await (const { line, group } of lines) {
    const kept: GivenGroup = { line, ...emptyOf(group, line) }
    for (const [index, part] of (group.trajectories as Partial<RecordedTrajectory>[]).entries()) {
      const trajectory = whole(part)
      const size = sizeOf(trajectory)
      const problem = attemptProblem({ trajectory, longest: size.longest }, options)
      characters += problem ? 0 : stringifyJson(part).length
      const reason = characters > maxCharactersOfJob ? 'more than a job takes' : problem
      if (reason) countExclusion(kept.excluded, reason)
      else {
        kept.group.trajectories.push(trajectory)
        kept.given.trajectories.push(part as RecordedTrajectory)
        kept.sizes.push(size)
        kept.places.push(index)
      }
    }
    excludeUseless(kept)
    trajectories += kept.places.length
    groups.push(kept)
    options.onProgress?.({ groups: groups.length, trajectories })
  }
  return { traces: 0, groups, excluded: new Map(), warnings: [] }
}

function emptyOf(group: RecordedGroup, line: number): Omit<GivenGroup, 'line'> {
  const { exceptions = [], metadata = {} } = group as Partial<RecordedGroup>
  const excluded = new Map<Exclusion, number>()
  if (exceptions.length > 0) countExclusion(excluded, 'failed', exceptions.length)
  const id = typeof metadata['group_id'] === 'string' ? metadata['group_id'] : `line ${line}`
  return { id, group: { ...group, trajectories: [] }, given: { ...group, trajectories: [] }, sizes: [], excluded, places: [] }
}

/** Adds the training service's defaults for omitted fields, and the choices of complete exchanges, which some clients capture instead of messages. */
function whole(part: Partial<RecordedTrajectory> & { exchanges?: unknown }): RecordedTrajectory {
  const { messages_and_choices: elements = choicesOf(part.exchanges), additional_histories: histories = [], reward = 0, ...rest } = part
  return { ...rest, messages_and_choices: elements, additional_histories: histories, reward } as RecordedTrajectory
}

function choicesOf(exchanges: unknown): JsonObject[] {
  const all = isJsonObject(exchanges) ? objectsOf(exchanges['chat_completions']) : []
  return all.flatMap(({ response }) => (isJsonObject(response) ? objectsOf(response['choices']) : []))
}

/** Counted from the ids of choices; 0 where they are not there. */
function sizeOf({ messages_and_choices: main, additional_histories: others }: RecordedTrajectory): TracedGroup['sizes'][number] {
  const lengths = [main, ...others.map((one) => one.messages_and_choices)].map((elements) => Math.max(0, ...elements.map(lengthOf)))
  return { longest: Math.max(0, ...lengths), tokens: lengths.reduce((sum, length) => sum + length, 0) }
}

function lengthOf({ prompt_token_ids: prompt, token_ids: ids, logprobs }: JsonObject): number {
  if (!Array.isArray(prompt)) return 0
  const sampled = Array.isArray(ids) ? ids.length : isJsonObject(logprobs) ? objectsOf(logprobs['content']).length : 0
  return prompt.length + sampled
}
