import type { QueryExpression } from '@heddle/core-api'
import type { ThreadFeedback } from './threads-search.ts'

export const feedbackTitles: Record<ThreadFeedback, string> = {
  given: 'any feedback',
  good: '👍 good',
  bad: '👎 bad',
  starred: '⭐ starred',
  note: 'a note',
  score: 'a score',
}

/** The feedback that is meant, as the API's query language has it. */
export function toFeedbackFilter(feedback: ThreadFeedback): QueryExpression {
  return { $expr: operations[feedback] } as unknown as QueryExpression
}

const equals = (field: string, value: string) => ({ $eq: [{ $getField: field }, { $literal: value }] })
const isOfType = (part: string) => ({ $contains: { input: { $getField: 'feedback_type' }, substr: { $literal: part } } })
/** Whatever the tone of the skin. */
const reaction = (emoji: string) => ({ $and: [equals('feedback_type', 'wandb.reaction.1'), equals('payload.detoned', emoji)] })

const operations: Record<ThreadFeedback, object> = {
  given: { $not: [equals('feedback_type', '')] },
  good: reaction('👍'),
  bad: reaction('👎'),
  starred: reaction('⭐'),
  note: equals('feedback_type', 'wandb.note.1'),
  score: { $or: [isOfType('wandb.annotation.'), isOfType('wandb.runnable.')] },
}
