import { textOf } from '../../app/search.ts'

/** What the address of the feedback page says. */
export interface FeedbackSearch {
  type?: string | undefined
  /** Id of the user who gave it. */
  author?: string | undefined
}

export const feedbackSearch = (search: Record<string, unknown>): FeedbackSearch => ({
  type: textOf(search, 'type'),
  author: textOf(search, 'author'),
})
