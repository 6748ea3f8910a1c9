import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf } from '../shapes/bounded.ts'
import { lenientIntBetween } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ProjectId } from '../shapes/project.ts'
import { TimestampText } from '../shapes/timestamp.ts'
import { Call } from './calls/call-records.ts'
import { TraceCall } from './calls/calls-trace.ts'

/** A public link to one trace, without its token. */
export const SharedTrace = z
  .object({
    id: z.string().describe('Grows with time'),
    trace_id: z.string(),
    created_by: z.string().describe('User of the key that created it'),
    created_at: TimestampText,
    expires_at: TimestampText.describe('From then on it shows nothing'),
  })
  .meta({ id: 'SharedTrace' })
export type SharedTrace = z.output<typeof SharedTrace>

/** Fields of a call that a link can show. Fields about who recorded it, and in which training run, are excluded. */
const sharedFields = [
  'id',
  'project_id',
  'op_name',
  'display_name',
  'trace_id',
  'parent_id',
  'thread_id',
  'turn_id',
  'started_at',
  'ended_at',
  'attributes',
  'inputs',
  'output',
  'exception',
  'summary',
] as const

const Token = z.string().max(128).describe('Token of the link: the part after its `#`')

const unusable =
  'An addition of this server. Needs no API key. A token that is unknown, has expired or was revoked, and one whose trace was deleted, get the same 404. More than about 600 requests of one link in a minute get 429 with `Retry-After`'
const leftOut =
  'Who recorded a call and in which training run, costs and feedback are left out, and references into other projects hide the project'

/** Public links: a link gives access to one trace, and nothing else, without a key. */
export const sharedTraces = defineResource('Public links to single traces', {
  create: {
    method: 'POST',
    path: '/project/shared_traces/create',
    effect: 'write',
    audit: true,
    repeat: 'adds',
    summary: 'Create a public link to a trace',
    description:
      'An addition of this server. Only for keys that may read and write in the project. Anyone who has the token reads all calls of the trace with inputs, outputs and attributes, those that are added later included, until the link expires or is deleted; the key that created it may end before. At most 1,000 links of a project (400). Refused (403, with the `setting` that decides it) where the operator has switched public links off.',
    body: z.object({
      project_id: ProjectId,
      trace_id: z.string().max(256).describe('Id of the trace'),
      expires_in_days: orDefault(lenientIntBetween(1, 365), 30).describe('Days from now, 1 to 365'),
    }),
    output: z.object({
      shared_trace: SharedTrace,
      token: z
        .string()
        .describe('What the page `/shared#<token>` and the other operations take. Returned this once; the server stores only a hash of it'),
    }),
  },
  list: {
    method: 'POST',
    path: '/project/shared_traces/list',
    effect: 'read',
    summary: 'List the public links of a project',
    description: 'An addition of this server. Those that can be used, the newest first.',
    body: z.object({
      project_id: ProjectId,
      trace_id: orNull(z.string().max(256)).describe('Only links to this trace. Null: all'),
      limit: orDefault(lenientIntBetween(1, 1_000), 100).describe('Links of a page, 1 to 1,000'),
      offset: orDefault(lenientIntBetween(0, 1_000), 0).describe('Links to skip first, at most 1,000'),
    }),
    output: z.object({
      shared_traces: z.array(SharedTrace),
      has_more: z.boolean().describe('Whether links follow the last one'),
    }),
  },
  read: {
    method: 'POST',
    path: '/trace/shared/read',
    effect: 'read',
    open: true,
    summary: 'Read what a public link leads to',
    description: `${unusable}.`,
    body: z.object({ token: Token }),
    output: z.object({ trace_id: z.string(), expires_at: TimestampText.describe('From then on the link shows nothing') }),
  },
  streamTrace: {
    method: 'POST',
    path: '/trace/shared/tree',
    effect: 'read',
    open: true,
    summary: 'Read the calls of the trace of a public link, without their payloads',
    description: `${unusable}. Streams one call per line, by start, then id.`,
    body: z.object({
      token: Token,
      limit: orDefault(lenientIntBetween(1, 50_000), 50_000).describe('Calls to return, 1 to 50,000: the earliest'),
    }),
    output: TraceCall,
    stream: 'jsonl',
  },
  streamCalls: {
    method: 'POST',
    path: '/trace/shared/calls',
    effect: 'read',
    open: true,
    summary: 'Read the calls of the trace of a public link',
    description: `${unusable}. Streams one call per line, by start, then id. ${leftOut}.`,
    body: z.object({
      token: Token,
      call_ids: orNull(listOf(z.string().max(256), 100)).describe('Only these calls of the trace, at most 100. Null: all'),
      columns: orNull(listOf(z.enum(sharedFields), sharedFields.length)).describe(
        'Fields to return, as in `calls.streamQuery`. Null or empty: all',
      ),
      limit: orDefault(lenientIntBetween(1, 50_000), 50_000).describe('Maximum number of calls, 1 to 50,000'),
      offset: orDefault(lenientIntBetween(0, 1_000_000), 0).describe('Calls to skip first'),
    }),
    output: Call,
    stream: 'jsonl',
  },
  readCall: {
    method: 'POST',
    path: '/trace/shared/call',
    effect: 'read',
    open: true,
    summary: 'Read one call of the trace of a public link',
    description: `${unusable}. ${leftOut}.`,
    body: z.object({ token: Token, call_id: z.string().max(256).describe('Id of the call') }),
    output: z.object({ call: Call.nullable().describe('Null when it is not a call of the trace, or was deleted') }),
  },
  delete: {
    method: 'POST',
    path: '/project/shared_traces/delete',
    effect: 'write',
    storage: 'frees',
    audit: true,
    summary: 'Delete a public link',
    description: 'An addition of this server. From then on its token reads nothing. A link that does not exist is deleted already.',
    body: z.object({ project_id: ProjectId, id: z.string().max(128).describe('Id of the link, as it is listed') }),
    output: z.object({}),
  },
})
