import type { Call } from '@heddle/core-api/types'
import { trajectoryAttribute } from '@heddle/core-api/attributes'
import { objectsOf } from '../../capture/json-values.ts'
import { attributeOf } from '../attempts/call-attribute.ts'
import { type AttemptCalls, isPrediction } from '../attempts/split-attempts.ts'
import { valueAt } from '@heddle/core-api/internal'
import { toNumber } from '../attempts/values.ts'

/**
 * Where the reward of an attempt comes from: the attribute that the instrumentation wrote (`recorded`), feedback of a type on any of its calls, the
 * score of a scorer in an evaluation, the result of a stored scorer for any of its calls (`scorer`), or a judge that compares the attempts of a group
 * (`ruler`).
 */
export type RewardSource =
  | { from: 'recorded' }
  | { from: 'feedback'; type: string; path: string | undefined }
  | { from: 'score'; path: string }
  | { from: 'scorer'; scorer: string; path: string | undefined }
  | { from: 'ruler' }

/** Feedback whose payload holds a reaction. */
const reactionType = 'wandb.reaction.1'
/** Where types of feedback have their value. */
const valuePaths = ['value', 'output', 'score', 'rating']
const thumbs = new Map([
  ['👍', 1],
  ['👎', 0],
])

/** @throws RangeError that lists the valid sources, for any other text */
export function parseRewardSource(text: string): RewardSource {
  const [kind = '', ...rest] = text.split(':')
  const detail = rest.join(':')
  if (text === 'recorded' || text === 'ruler') return { from: text }
  if (kind === 'feedback') {
    const [type = '', path] = detail.split('#')
    return { from: 'feedback', type: type === '' ? reactionType : type, path: path === '' ? undefined : path }
  }
  if (kind === 'score' && detail !== '') return { from: 'score', path: detail }
  if (kind === 'scorer' && detail !== '') {
    const [scorer = '', path] = detail.split('#')
    return { from: 'scorer', scorer, path: path === '' ? undefined : path }
  }
  throw new RangeError(
    `reward must be recorded, feedback (reactions), feedback:<type>[#<path>], score:<path>, scorer:<reference or name>[#<path>] or ruler, got ${JSON.stringify(text.slice(0, 100))}`,
  )
}

/** The reward of an attempt; the latest counts. Undefined if there is none, or if a judge sets it later. */
export function rewardOf({ calls }: AttemptCalls, source: RewardSource): number | undefined {
  switch (source.from) {
    case 'recorded':
      return last(calls.map((call) => toNumber(attributeOf(call, trajectoryAttribute.rewardValue))))
    case 'feedback':
      return last(calls.flatMap(feedbackOf).filter(isOfType(source.type)).toSorted(byCreation).map(valueOf(source.path)))
    case 'score':
      return last(calls.filter(isPrediction).map(({ output }) => toNumber(valueAt(valueAt(output, 'scores'), source.path))))
    case 'scorer':
      return last(calls.flatMap(feedbackOf).filter(isOfScorer(source.scorer)).toSorted(byCreation).map(scoreOf(source.path)))
    case 'ruler':
      return undefined
  }
}

/** Whether the scorer has found something of the attempt. */
export function hasScoreOf({ calls }: Pick<AttemptCalls, 'calls'>, scorer: string): boolean {
  return calls.flatMap(feedbackOf).some(isOfScorer(scorer))
}

export type FeedbackRecord = Record<string, unknown>

/** Feedback of a call, if it was read with feedback. */
export const feedbackOf = ({ summary }: Call): FeedbackRecord[] => objectsOf(valueAt(summary, 'weave.feedback'))

const isOfType =
  (type: string) =>
  ({ feedback_type: given }: FeedbackRecord) =>
    given === type

/** A reference names one version of a scorer, a name all of them. */
const isOfScorer =
  (scorer: string) =>
  ({ runnable_ref: ref }: FeedbackRecord) =>
    typeof ref === 'string' && (ref === scorer || (!scorer.includes('/') && ref.includes(`/${encodeURIComponent(scorer)}:`)))

/** The result of a scorer is a number, a boolean, or an object with one of them. */
const scoreOf =
  (path: string | undefined) =>
  ({ payload }: FeedbackRecord): number | undefined => {
    const output = valueAt(payload, 'output')
    if (path !== undefined) return toNumber(valueAt(output, path))
    const members = typeof output === 'object' && output !== null ? Object.values(output) : [output]
    return members.map(toNumber).find((one) => one !== undefined)
  }

const byCreation = (a: FeedbackRecord, b: FeedbackRecord) => String(a['created_at']).localeCompare(String(b['created_at']))

const valueOf =
  (path: string | undefined) =>
  ({ payload, scorer_ratings: ratings }: FeedbackRecord): number | undefined => {
    if (path !== undefined) return toNumber(valueAt(payload, path)) ?? toNumber(valueAt(ratings, path))
    const emoji = valueAt(payload, 'emoji')
    if (typeof emoji === 'string') return thumbs.get(emoji.slice(0, 2))
    return [...valuePaths.map((name) => valueAt(payload, name)), valueAt(ratings, '_rating_')]
      .map(toNumber)
      .find((one) => one !== undefined)
  }

function last(values: readonly (number | undefined)[]): number | undefined {
  return values.findLast((value) => value !== undefined)
}
