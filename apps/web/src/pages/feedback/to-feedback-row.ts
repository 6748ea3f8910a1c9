import { type Feedback, parseRef } from '@heddle/core-api'
import { toCell } from '../../components/to-text.ts'
import { memberOf } from '../../components/members.ts'

/** A feedback as the table keeps it: short texts alone, so that many rows stay small. */
export interface FeedbackRow {
  id: string
  type: string
  /** Id of the user who gave it. */
  author: string
  /** What the user is called, where that was said. */
  creator: string
  createdAt: string
  value: string
  about: string
  /** The call that it is about; undefined where it is about something else. */
  callId: string | undefined
}

export function toFeedbackRow({ id, feedback_type, wb_user_id, creator, created_at, payload, weave_ref }: Feedback): FeedbackRow {
  return {
    id: String(id),
    type: String(feedback_type),
    author: String(wb_user_id),
    creator: creator ?? String(wb_user_id),
    createdAt: String(created_at),
    value: valueOf(payload),
    about: String(weave_ref),
    callId: callOf(String(weave_ref)),
  }
}

/** What the usual types say, without the names around it. */
function valueOf(payload: unknown): string {
  for (const name of ['emoji', 'note', 'value', 'output']) {
    const value = memberOf(payload, name)
    if (value !== undefined && value !== null) return toCell(value)
  }
  return toCell(payload)
}

function callOf(text: string): string | undefined {
  try {
    const ref = parseRef(text)
    return ref?.kind === 'call' ? ref.id : undefined
  } catch {
    return undefined
  }
}
