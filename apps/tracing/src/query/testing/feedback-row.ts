import type { FeedbackRow } from '@heddle/datastore'
import { stringifyJson } from '@heddle/json'

/** What a test says of a feedback; the payload is parsed JSON. */
export interface TestFeedback {
  weave_ref: string
  feedback_type: string
  payload: unknown
  runnable_ref?: string
  trigger_ref?: string
  is_deleted?: 0 | 1
}

/** A row as the write path makes it; `place` is its place in the order of creation. */
export function aFeedbackRow(feedback: TestFeedback, place: number): FeedbackRow {
  const { weave_ref, feedback_type, payload, runnable_ref = '', trigger_ref = '', is_deleted = 0 } = feedback
  return {
    project_id: 'e/p',
    weave_ref,
    id: `f${place}`,
    created_at: 1_772_323_200_000_000 + place,
    creator: null,
    wb_user_id: 'tester',
    feedback_type,
    payload: stringifyJson(payload),
    annotation_ref: '',
    runnable_ref,
    call_ref: '',
    trigger_ref,
    queue_id: '',
    scorer_tags: [],
    scorer_tag_reasons: '{}',
    scorer_tag_confidences: '{}',
    scorer_ratings: '{}',
    scorer_rating_reasons: '{}',
    scorer_rating_confidences: '{}',
    span_agent_name: '',
    span_agent_version: '',
    span_conversation_id: '',
    span_trace_id: '',
    span_status_code: 'UNSET',
    scorer_trace_id: '',
    version: 1n,
    is_deleted,
  }
}
