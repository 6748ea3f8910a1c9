import { z } from 'zod'
import { AnyJson, JsonObjectShape } from '../../shapes/json.ts'
import { LenientBoolean, LenientCount } from '../../shapes/lenient.ts'
import { orNull } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'
import { Timestamp, TimestampText } from '../../shapes/timestamp.ts'
import { Summary } from './summary.ts'

const text = orNull(z.string())

const startFields = {
  op_name: z.string().describe('Op ref, or a plain name of up to 128 characters'),
  display_name: text.describe('Name shown instead of the op name, up to 1024 characters'),
  parent_id: text.describe('Id of the parent call, which may be unknown or arrive later. Null for a root'),
  thread_id: text.describe('Thread of the call'),
  turn_id: text.describe('Turn of the call in its thread'),
  started_at: Timestamp.describe('Start of the call'),
  attributes: JsonObjectShape.describe('Attributes of the call'),
  inputs: JsonObjectShape.describe('Argument values by name'),
  otel_dump: orNull(JsonObjectShape).describe('Raw span, returned as `attributes.otel_span`'),
  wb_user_id: text.describe('Ignored: the server sets the user from the credential'),
  wb_run_id: text.describe('Linked training run as `entity/project/run_id`'),
  wb_run_step: orNull(LenientCount).describe('Step of that run at the start'),
}

const endFields = {
  exception: text.describe('Error text. Null when the call did not fail'),
  output: z
    .unknown()
    .optional()
    .transform((value): unknown => value ?? null)
    .describe('Result of the call: any JSON value'),
  summary: Summary.describe('Open object; `usage` and `status_counts` are checked'),
  wb_run_step_end: orNull(LenientCount).describe('Step of the linked run at the end'),
}

/** First half of a call. */
export const StartedCall = z
  .object({
    project_id: ProjectId,
    id: text.describe('Id of the call. Null: the server makes one'),
    trace_id: text.describe('Id of the trace. Null: the server makes one'),
    ...startFields,
  })
  .meta({ id: 'StartedCall' })
export type StartedCall = z.output<typeof StartedCall>

/** Second half of a call. */
export const EndedCall = z
  .object({
    project_id: ProjectId,
    id: z.string().describe('Id of the call. Its start may arrive later'),
    ended_at: Timestamp.describe('End of the call'),
    started_at: orNull(Timestamp).describe('Hint; does not override the start'),
    trace_id: text.describe('Hint; not stored'),
    is_eval: orNull(LenientBoolean).describe('Hint; not stored'),
    ...endFields,
  })
  .meta({ id: 'EndedCall' })
export type EndedCall = z.output<typeof EndedCall>

/** Both halves of a call. */
export const CompletedCall = z
  .object({
    project_id: ProjectId,
    id: z.string().describe('Id of the call'),
    trace_id: z.string().describe('Id of the trace'),
    ended_at: Timestamp.describe('End of the call'),
    ...startFields,
    ...endFields,
  })
  .meta({ id: 'CompletedCall' })
export type CompletedCall = z.output<typeof CompletedCall>

/** A call as it is read. Every field is present, null when unknown; only `wb_username` and `cut_fields` are omitted instead. */
export const Call = z
  .object({
    id: z.string().describe('Id of the call'),
    project_id: ProjectId,
    op_name: z.string().describe('Op ref, or a plain name'),
    display_name: z.string().nullable().describe('Name shown instead of the op name'),
    trace_id: z.string().describe('Id of the trace'),
    parent_id: z.string().nullable().describe('Id of the parent call. Null for a root'),
    thread_id: z.string().nullable().describe('Thread of the call'),
    turn_id: z.string().nullable().describe('Turn of the call in its thread'),
    started_at: TimestampText.describe('Start of the call'),
    attributes: JsonObjectShape.describe('Attributes of the call; `otel_span` holds the raw span of a call that came from OpenTelemetry'),
    inputs: JsonObjectShape.describe('Argument values by name'),
    ended_at: TimestampText.nullable().describe('End of the call. Null while it runs'),
    exception: z.string().nullable().describe('Error text. Null when the call did not fail'),
    output: AnyJson.describe('Result of the call'),
    summary: JsonObjectShape.nullable().describe('Summary of the call; `weave` holds status, latency and trace name'),
    wb_user_id: z.string().nullable().describe('User who wrote the call'),
    wb_run_id: z.string().nullable().describe('Linked training run as `entity/project/run_id`'),
    wb_run_step: z.number().nullable().describe('Step of that run at the start'),
    wb_run_step_end: z.number().nullable().describe('Step of that run at the end'),
    deleted_at: TimestampText.nullable().describe('Always null in responses'),
    expire_at: TimestampText.nullable().describe('When the call expires. Null: never'),
    storage_size_bytes: z.number().nullable().describe('Bytes of attributes, inputs, output and summary. Null unless requested'),
    total_storage_size_bytes: z.number().nullable().describe('Bytes of all calls of the trace, on root calls. Null unless requested'),
    wb_username: z.string().optional().describe('Name of the user, if requested and known'),
    cut_fields: z.array(z.string()).optional().describe('Fields in which texts were cut, if `max_text_length` was requested and some were'),
  })
  .meta({ id: 'Call' })
export type Call = z.output<typeof Call>
