import type { Feedback } from '@heddle/core-api/types'
import type { TracingClient } from '../../lib/server/client.ts'

type Input = Parameters<TracingClient['feedback']['create']>[0]

/** What a person or program says in feedback; the rest the server sets. A field of the contract that is not here does not compile. */
const said = {
  weave_ref: true,
  creator: true,
  feedback_type: true,
  payload: true,
  annotation_ref: true,
  runnable_ref: true,
  call_ref: true,
  trigger_ref: true,
  queue_id: true,
  scorer_tags: true,
  scorer_tag_reasons: true,
  scorer_tag_confidences: true,
  scorer_ratings: true,
  scorer_rating_reasons: true,
  scorer_rating_confidences: true,
  span_agent_name: true,
  span_agent_version: true,
  span_conversation_id: true,
  span_trace_id: true,
  span_status_code: true,
  scorer_trace_id: true,
} satisfies Record<Exclude<keyof Input, 'project_id' | 'id' | 'wb_user_id'>, true>
const saidNames = Object.keys(said) as (keyof typeof said)[]

/** Feedback that was read, as it is given. */
export function inputOfFeedback(project_id: string, read: Feedback): Input {
  const fields = saidNames.flatMap((name) => (read[name] === undefined || read[name] === null ? [] : [[name, read[name]]]))
  return { project_id, ...Object.fromEntries(fields) } as Input
}
