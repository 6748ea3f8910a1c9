import { z } from 'zod'
import { Identifier, Reference } from '../../shapes/identifier.ts'
import { listOf, recordOf } from '../../shapes/bounded.ts'
import { JsonObjectShape } from '../../shapes/json.ts'
import { LenientFraction } from '../../shapes/lenient.ts'
import { orDefault, orNull } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'
import { TimestampText } from '../../shapes/timestamp.ts'

const identifier = orNull(Identifier)
const reference = orNull(Reference)
const reasons = recordOf(z.string(), 1000)
const fractions = recordOf(LenientFraction, 1000)
const noReasons = () => orDefault(reasons, {})
const noFractions = () => orDefault(fractions, {})
const noIdentifier = () => orDefault(Identifier, '')

/** Feedback to store. */
export const FeedbackInput = z
  .object({
    project_id: ProjectId,
    id: identifier.describe('Id of the feedback. Null: the server makes one. A repeated id is stored once'),
    weave_ref: Reference.describe(
      'Ref of the subject of the feedback: usually a call, which may not exist yet; `weave:///<entity>/<project>/agent_conversation/<percent-encoded thread id>` for a whole conversation',
    ),
    creator: identifier.describe('Display name of the user who gave the feedback'),
    feedback_type: Identifier.describe(
      '`wandb.reaction.1`, `wandb.note.1`, `wandb.annotation.<name>`, `wandb.runnable.<name>`, `wandb.agent_monitor`, `wandb.agent_user_feedback`, or a type of your own',
    ),
    payload: JsonObjectShape.describe('Object that matches the feedback type, up to 1 MiB of JSON text'),
    annotation_ref: reference.describe('Annotation spec of an annotation'),
    runnable_ref: reference.describe('Op or object that made the feedback'),
    call_ref: reference.describe('Call in which an op made the feedback'),
    trigger_ref: reference.describe('Object that requested the feedback, such as a monitor'),
    queue_id: identifier.describe('Annotation queue in which the feedback was given'),
    scorer_tags: orDefault(listOf(Identifier, 1000), []).describe('Tags that the scorer gave'),
    scorer_tag_reasons: noReasons().describe('Reason of each tag'),
    scorer_tag_confidences: noFractions().describe('Confidence in each tag, 0 to 1'),
    scorer_ratings: noFractions().describe('Ratings by name, 0 to 1; the only one has the name `_rating_`'),
    scorer_rating_reasons: noReasons().describe('Reason of each rating'),
    scorer_rating_confidences: noFractions().describe('Confidence in each rating, 0 to 1'),
    span_agent_name: noIdentifier().describe('Agent that the feedback is about'),
    span_agent_version: noIdentifier().describe('Version of that agent'),
    span_conversation_id: noIdentifier().describe('Conversation that the feedback is about'),
    span_trace_id: noIdentifier().describe('Trace that the feedback is about'),
    span_status_code: orDefault(Identifier, 'UNSET').describe('Status of the scored span'),
    scorer_trace_id: noIdentifier().describe('Trace in which the scorer ran'),
    wb_user_id: orNull(z.string()).describe('Ignored: the server sets the user from the credential'),
  })
  .meta({ id: 'FeedbackInput' })
export type FeedbackInput = z.output<typeof FeedbackInput>

/** Result of storing a feedback. */
export const CreatedFeedback = z
  .object({
    id: z.string().describe('Id of the feedback'),
    created_at: TimestampText.describe('When the version was first stored'),
    wb_user_id: z.string().describe('User who gave the feedback'),
    payload: JsonObjectShape.describe('The payload as stored, including defaults of the type'),
  })
  .meta({ id: 'CreatedFeedback' })
export type CreatedFeedback = z.output<typeof CreatedFeedback>

/** A feedback as it is read. Fields that were not requested are absent, and so are empty queue, scorer and span fields. */
export const Feedback = z
  .looseObject({
    id: z.string(),
    project_id: z.string(),
    weave_ref: z.string().describe('Ref of the subject of the feedback'),
    creator: z.string().nullable(),
    wb_user_id: z.string().describe('User who gave the feedback'),
    created_at: TimestampText,
    feedback_type: z.string(),
    payload: JsonObjectShape,
    annotation_ref: z.string().nullable(),
    runnable_ref: z.string().nullable(),
    call_ref: z.string().nullable(),
    trigger_ref: z.string().nullable(),
    queue_id: z.string().nullable(),
    scorer_tags: z.array(z.string()),
    scorer_tag_reasons: z.record(z.string(), z.string()),
    scorer_tag_confidences: z.record(z.string(), z.number()),
    scorer_ratings: z.record(z.string(), z.number()),
    scorer_rating_reasons: z.record(z.string(), z.string()),
    scorer_rating_confidences: z.record(z.string(), z.number()),
    span_agent_name: z.string(),
    span_agent_version: z.string(),
    span_conversation_id: z.string(),
    span_trace_id: z.string(),
    span_status_code: z.string(),
    scorer_trace_id: z.string(),
  })
  .partial()
  .meta({ id: 'Feedback' })
export type Feedback = z.output<typeof Feedback>
