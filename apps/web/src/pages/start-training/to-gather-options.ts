import { type GatherOptions, parseGroupBy, parseRewardSource, policyOf, type RewardSource } from '@heddle/agent-instrumentation/from-traces'
import type { TrainingConfig } from '@heddle/core-api/types'
import { toExpression } from '../../features/filter/call-condition.ts'
import { parseCallsFilter } from '../../features/filter/calls-filter.ts'
import { toFilterOperation } from '../../features/filter/parse-filter.ts'
import { defaultTraces, type StartSearch } from './start-search.ts'

/**
 * Which attempts are read, and how they become groups with rewards.
 * @throws RangeError with the permitted groupings or rewards
 */
export function toGatherOptions({
  where = [],
  filter,
  op,
  group = 'recorded',
  reward = 'recorded',
  ...search
}: StartSearch): GatherOptions {
  const groupBy = parseGroupBy(group)
  const query = toExpression(where, filter === undefined ? [] : [toFilterOperation(parseCallsFilter(filter))])
  return {
    filter: { op, query: query && { ...query }, recordedOnly: groupBy.by === 'recorded' && op === undefined },
    maxTraces: search.traces ?? defaultTraces,
    groupBy,
    reward: rewardFrom(reward),
    isPolicy: policyOf(search.policy),
    keepFailed: search.failed === 'keep',
    withoutLogprobs: search.logprobs === 'without',
  }
}

function rewardFrom(text: string): RewardSource {
  const reward = parseRewardSource(text)
  if (reward.from !== 'ruler') return reward
  throw new RangeError('a judge needs an endpoint and its key: use heddle train from-traces --reward ruler')
}

/** @throws RangeError for an invalid learning rate */
export function toTrainingConfig({ rate, logprobs }: StartSearch): Partial<TrainingConfig> {
  const learning_rate = rate === undefined ? undefined : Number(rate)
  if (learning_rate !== undefined && !(learning_rate > 0 && learning_rate < 1))
    throw new RangeError(`the learning rate must be a number between 0 and 1, such as 0.0001, got ${JSON.stringify(rate)}`)
  return {
    ...(learning_rate !== undefined && { learning_rate }),
    ...(logprobs === 'without' && { allow_training_without_logprobs: true }),
  }
}
