import type { QueryExpression } from '@heddle/core-api'
import type { ThreadFeedback } from './threads-search.ts'

export const feedbackTitles: Record<ThreadFeedback, string> = {
  given: 'any feedback',
  none: 'no feedback',
  good: '👍 good',
  bad: '👎 bad',
  starred: '⭐ starred',
  note: 'a note',
  score: 'a score',
}

/** What the filter of threads says of feedback. */
export type FeedbackFilter = { feedback: QueryExpression } | { without_feedback: QueryExpression }

/** The threads that are meant, with feedback as the API's query language has it. */
export function toFeedbackFilter(kind: ThreadFeedback): FeedbackFilter {
  if (kind === 'none') return { without_feedback: toExpression(operations.given) }
  return { feedback: toExpression(operations[kind]) }
}

const toExpression = (operation: object) => ({ $expr: operation }) as unknown as QueryExpression

const equals = (field: string, value: string) => ({ $eq: [{ $getField: field }, { $literal: value }] })
const isOfType = (part: string) => ({ $contains: { input: { $getField: 'feedback_type' }, substr: { $literal: part } } })
/** Whatever the tone of the skin. */
const reaction = (emoji: string) => ({ $and: [equals('feedback_type', 'wandb.reaction.1'), equals('payload.detoned', emoji)] })

const operations: Record<Exclude<ThreadFeedback, 'none'>, object> = {
  given: { $not: [equals('feedback_type', '')] },
  good: reaction('👍'),
  bad: reaction('👎'),
  starred: reaction('⭐'),
  note: equals('feedback_type', 'wandb.note.1'),
  score: { $or: [isOfType('wandb.annotation.'), isOfType('wandb.runnable.')] },
}
