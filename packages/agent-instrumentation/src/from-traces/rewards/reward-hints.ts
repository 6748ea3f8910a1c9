import { trajectoryAttribute } from '@heddle/core-api/attributes'
import { type AttemptCalls, isPrediction } from '../attempts/split-attempts.ts'
import { joinPath, pathBelow, valueAt } from '@heddle/core-api/internal'
import { toNumber } from '../attempts/values.ts'
import { listShort } from './list-short.ts'
import { feedbackOf, type RewardSource } from './reward-source.ts'

/** What could have rewarded attempts, for an answer to the question why none of them has a reward. */
export interface RewardHints {
  add(attempt: AttemptCalls): void
  /** Describes the requested source and the available ones. */
  text(): string
}

/** Names that are remembered. */
const maxNames = 1_000

export function createRewardHints(source: RewardSource): RewardHints {
  const names = new Set<string>()
  return {
    add(attempt) {
      for (const name of namesIn(attempt, source)) if (names.size < maxNames) names.add(name)
    },
    text() {
      const { sought, kind } = lookedFor(source)
      const found = names.size === 0 ? `they have no ${kind}` : `${kind} that they have: ${listShort([...names].toSorted())}`
      return source.from === 'recorded' ? `no attempt has ${sought}` : `no attempt has ${sought}; ${found}`
    },
  }
}

function lookedFor(source: RewardSource): { sought: string; kind: string } {
  const at = 'path' in source && source.path !== undefined ? ` with a number at ${JSON.stringify(source.path)}` : ''
  switch (source.from) {
    case 'feedback':
      return { sought: `feedback of type ${JSON.stringify(source.type)}${at}`, kind: 'feedback' }
    case 'score':
      return { sought: `a score${at}`, kind: 'scores of an evaluation' }
    case 'scorer':
      return { sought: `a score of scorer ${JSON.stringify(source.scorer)}${at}`, kind: 'scores of scorers' }
    default:
      return {
        sought: `a reward of its own (${trajectoryAttribute.rewardValue}); take rewards from feedback, score:<path> or scorer:<reference>`,
        kind: 'rewards',
      }
  }
}

function namesIn({ calls }: AttemptCalls, source: RewardSource): string[] {
  if (source.from === 'score') return calls.filter(isPrediction).flatMap(({ output }) => pathsOf(valueAt(output, 'scores')))
  const feedback = calls.flatMap(feedbackOf)
  const names = feedback.map((given) => given[source.from === 'scorer' ? 'runnable_ref' : 'feedback_type'])
  return names.filter((name) => typeof name === 'string')
}

/** Paths to numbers and booleans, two levels deep. */
function pathsOf(scores: unknown, above?: string): string[] {
  if (typeof scores !== 'object' || scores === null) return []
  return Object.entries(scores).flatMap(([key, value]) => {
    const path = above === undefined ? joinPath([key]) : pathBelow(above, key)
    if (toNumber(value) !== undefined) return [path]
    return above === undefined ? pathsOf(value, path) : []
  })
}
