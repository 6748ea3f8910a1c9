import type { Feedback } from '@heddle/core-api/types'
import { exactClient } from '../../lib/server/client.ts'
import { inputOfFeedback } from './input-of-feedback.ts'

/** Gives feedback of the person who is signed in once more after it was removed, with a new id and the present time. */
export const restoreFeedback = (project_id: string, removed: Feedback) => exactClient.feedback.create(inputOfFeedback(project_id, removed))
