import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf } from '../shapes/bounded.ts'
import { JsonObjectShape } from '../shapes/json.ts'
import { LenientBoolean } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ProjectId } from '../shapes/project.ts'

const CompletionRequest = z.object({
  project_id: ProjectId,
  inputs: z
    .looseObject({
      model: z.string().max(1_000).describe('Name of the model; `provider/model` picks a provider'),
      messages: listOf(JsonObjectShape, 10_000).describe('The conversation, 1 to 10,000 messages'),
    })
    .describe('Body of a chat completion, which is sent to the provider as it is; the operation decides whether it is streamed'),
  track_llm_call: orDefault(LenientBoolean, true).describe('Record a call with the inputs and the response'),
  trace_id: orNull(z.string().max(128)).describe('Id of the trace of the call. Null: a trace of its own'),
  parent_id: orNull(z.string().max(128)).describe('Id of the parent of the call. Null: a root'),
  conversation_id: orNull(z.string().max(128)).describe('Id of the thread of the call. Null: none'),
})

/** Chat completions by the models of configured providers, whose keys remain on the server. */
export const completions = defineResource('Chat completions by model providers', {
  create: {
    method: 'POST',
    path: '/completions/create',
    effect: 'write',
    repeat: 'adds',
    waits: true,
    summary: 'Create a chat completion with a model of a provider',
    description:
      'Errors of the model or its provider are returned in the response, as `response.error`. A request takes at most 180 seconds. The server runs at most 8 at a time for a project and 32 in all; further ones get 429.',
    body: CompletionRequest,
    output: z.object({
      response: JsonObjectShape.describe('Response of the provider, or `error`'),
      weave_call_id: z.string().nullable().describe('The recorded call. Null when there is none'),
    }),
  },
  createStream: {
    method: 'POST',
    path: '/completions/create_stream',
    effect: 'write',
    repeat: 'adds',
    waits: true,
    summary: 'Create a chat completion with a model of a provider, streamed',
    description:
      'As `create`, with chunks as they arrive. When a call is recorded, the first line is `_meta` with `weave_call_id`; the call is stored when the stream ends, also when it fails or the client leaves. A failure before the first chunk is 400, or 503 where another try may succeed; a later one is the last line, with `error`. A last line `_meta` whose `weave_call_id` is null says that the call could not be recorded. Usage is requested unless `stream_options` excludes it.',
    body: CompletionRequest,
    output: JsonObjectShape.describe('A chunk of the provider, `_meta` or `error`'),
    stream: 'jsonl',
  },
  providers: {
    method: 'POST',
    path: '/completions/providers',
    effect: 'read',
    summary: 'List the configured model providers',
    description: 'An addition of this server. Names alone: neither addresses nor keys.',
    body: z.object({ project_id: ProjectId }),
    output: z.object({
      providers: z.array(
        z.object({
          name: z.string().describe('What the names of its models begin with, before a slash'),
          is_default: z.boolean().describe('Whether it serves models whose names begin with no provider'),
        }),
      ),
    }),
  },
})
