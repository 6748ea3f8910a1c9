import type { FeedbackInput } from '@heddle/core-api/types'
import type { FeedbackRow } from '@heddle/datastore'

/** A scorer's data outside the payload: a list of tags and maps by tag or rating, empty if there are none. */
export const scorerFields = [
  'scorer_tags',
  'scorer_tag_reasons',
  'scorer_tag_confidences',
  'scorer_ratings',
  'scorer_rating_reasons',
  'scorer_rating_confidences',
] as const satisfies readonly (keyof FeedbackInput & keyof FeedbackRow)[]
