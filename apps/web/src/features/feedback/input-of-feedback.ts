import type { Feedback } from '@heddle/core-api/types'
import type { TracingClient } from '../../lib/server/client.ts'

type Input = Parameters<TracingClient['feedback']['create']>[0]

/** What of feedback a person or program said; the rest the server sets. */
const said = [
  'weave_ref',
  'creator',
  'feedback_type',
  'payload',
  'annotation_ref',
  'runnable_ref',
  'call_ref',
  'trigger_ref',
  'queue_id',
  'scorer_tags',
  'scorer_tag_reasons',
  'scorer_tag_confidences',
  'scorer_ratings',
  'scorer_rating_reasons',
  'scorer_rating_confidences',
  'span_agent_name',
  'span_agent_version',
  'span_conversation_id',
  'span_trace_id',
  'span_status_code',
  'scorer_trace_id',
] as const satisfies readonly (keyof Input)[]

/** Feedback that was read, as it is given. */
export function inputOfFeedback(project_id: string, read: Feedback): Input {
  const fields = said.flatMap((name) => (read[name] === undefined || read[name] === null ? [] : [[name, read[name]]]))
  return { project_id, ...Object.fromEntries(fields) } as Input
}
