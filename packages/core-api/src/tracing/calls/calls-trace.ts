import { z } from 'zod'
import { Identifier } from '../../shapes/identifier.ts'
import { lenientIntBetween } from '../../shapes/lenient.ts'
import { orDefault } from '../../shapes/optional.ts'
import { ProjectId } from '../../shapes/project.ts'
import { TimestampText } from '../../shapes/timestamp.ts'
import { callKinds } from './call-words.ts'

/** Most calls of one trace. */
const maxTraceCalls = 50_000

/** The trace of which call. */
export const CallsTrace = z.object({
  project_id: ProjectId,
  call_id: Identifier.describe('Id of any call of the trace'),
  limit: orDefault(lenientIntBetween(1, maxTraceCalls), maxTraceCalls).describe(`Calls to return, 1 to ${maxTraceCalls}: the earliest`),
})
export type CallsTrace = z.output<typeof CallsTrace>

/** A call as shown in its trace: without inputs and output. */
export const TraceCall = z
  .object({
    id: z.string().describe('Id of the call'),
    parent_id: z.string().nullable().describe('Id of the call that made it. Null for a root'),
    op_name: z.string().describe('Op ref, or a plain name'),
    name: z.string().describe('Name to show: its display name, else that of its span, else that of its op'),
    kind: z.enum(callKinds).describe('What it did, as its attributes say; `other` where they say nothing'),
    status: z
      .enum(['success', 'error', 'running', 'descendant_error'])
      .describe('Its own; `descendant_error` where it succeeded and a call below it failed, or its client counted errors below it'),
    started_at: TimestampText,
    ended_at: TimestampText.nullable().describe('Null while it runs'),
    thread_id: z.string().nullable().describe('Thread that it names itself'),
    is_model_call: z.boolean().describe('A request to a model, as its attributes say: text, embeddings, reranking, images or audio'),
    wire: z
      .enum(['otlp', 'client'])
      .describe('Sent as a span of OpenTelemetry, or by a tracing client, whose usage is the sum over what it recorded below'),
    scope: z.string().nullable().describe('Instrumentation scope that its span names, as JSON writes it. Null where it names none'),
    response_id: z
      .string()
      .nullable()
      .describe(
        'Id of the provider for its response. Calls of one trace that name the same one report one request. Null where it names none',
      ),
  })
  .meta({ id: 'TraceCall' })
export type TraceCall = z.output<typeof TraceCall>
