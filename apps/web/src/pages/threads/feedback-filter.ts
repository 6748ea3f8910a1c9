import type { QueryExpression, QueryOperation } from '@heddle/core-api'
import { contains, equals, not } from '@heddle/trace-model/query'
import type { ThreadFeedback } from './threads-search.ts'

export const feedbackTitles: Record<ThreadFeedback, string> = {
  given: 'Given',
  none: 'None',
  good: 'Good',
  bad: 'Bad',
  starred: 'Starred',
  note: 'Note',
  score: 'Score',
}

/** The part of the filter of threads about feedback. */
export type FeedbackFilter = { feedback: QueryExpression } | { without_feedback: QueryExpression }

/** The selected threads, with feedback in the API's query language. */
export function toFeedbackFilter(kind: ThreadFeedback): FeedbackFilter {
  if (kind === 'none') return { without_feedback: toExpression(operations.given) }
  return { feedback: toExpression(operations[kind]) }
}

const toExpression = (operation: QueryOperation): QueryExpression => ({ $expr: operation })

const isOfType = (part: string) => contains('feedback_type', part, { exactCase: true })
/** Whatever the tone of the skin. */
const reaction = (emoji: string) => ({ $and: [equals('feedback_type', 'wandb.reaction.1'), equals('payload.detoned', emoji)] })

const operations: Record<Exclude<ThreadFeedback, 'none'>, QueryOperation> = {
  given: not(equals('feedback_type', '')),
  good: reaction('👍'),
  bad: reaction('👎'),
  starred: reaction('⭐'),
  note: equals('feedback_type', 'wandb.note.1'),
  score: { $or: [isOfType('wandb.annotation.'), isOfType('wandb.runnable.')] },
}
