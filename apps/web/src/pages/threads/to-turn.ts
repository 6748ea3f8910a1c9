import { displayNameOf } from '@heddle/core-api'
import type { Call, ThreadTurn } from '@heddle/core-api/types'
import { memberOf } from '@heddle/core-api/internal'
import { latencyMsOf, type Message, messagesOfTurn } from '@heddle/trace-model'
import type { CallRow } from '../../features/calls/call-row.ts'
import { toFeedbackMarks } from '../../features/feedback/feedback-marks.ts'

/** A turn of a conversation: its messages and usage. */
export interface Turn extends Pick<CallRow, 'id' | 'status' | 'startedAt' | 'latencyMs' | 'tokens' | 'cost' | 'costSource'> {
  name: string
  isParentMissing: boolean
  messages: readonly Message[]
  exception: string | null
  /** Feedback in short texts: reactions and scores as they are, and how many there are of each other type. */
  feedback: readonly string[]
}

/** @param call the call that is the turn, with its feedback; undefined where it was deleted meanwhile */
export function toTurn(turn: ThreadTurn, call: Pick<Call, 'summary' | 'attributes'> | undefined): Turn {
  return {
    id: turn.id,
    status: turn.status,
    startedAt: turn.started_at,
    latencyMs: latencyMsOf(turn),
    tokens: turn.tokens,
    cost: turn.cost,
    costSource: { pricedAs: turn.priced_as, reported: turn.reported_uses },
    name: displayNameOf({ ...turn, ...(call && { attributes: call.attributes }) }),
    isParentMissing: turn.is_parent_missing,
    messages: [...messagesOfTurn(turn.input), ...messagesOfTurn(turn.output)],
    exception: turn.exception,
    feedback: feedbackOf(call?.summary),
  }
}

function feedbackOf(summary: unknown): string[] {
  const rows = memberOf(memberOf(summary, 'weave'), 'feedback')
  return Array.isArray(rows) ? toFeedbackMarks(rows) : []
}
