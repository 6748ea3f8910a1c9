import { objectsOf } from '../capture/json-values.ts'
import type { JsonObject } from '@heddle/core-api'

/** What the model says to a request: texts a piece for each token, then its tool calls. */
export interface ModelSays {
  pieces?: string[]
  toolCalls?: { name: string; arguments: string }[]
  reasoning?: string
  /** Default `completed`. */
  end?: 'completed' | 'max_output_tokens'
}

export interface ResponsesEndpoint {
  fetch: typeof fetch
  requests: JsonObject[]
}

export interface ResponsesEndpointOptions {
  /** Log-probabilities come with the pieces of a stream alone. */
  logprobsInDeltasAlone?: boolean
}

/** A `fetch` that behaves as an endpoint of the Responses API, plain and streamed, with log-probabilities where `include` names them. */
export function createResponsesEndpoint(
  reply: (request: JsonObject) => ModelSays,
  { logprobsInDeltasAlone = false }: ResponsesEndpointOptions = {},
): ResponsesEndpoint {
  const requests: JsonObject[] = []
  let ids = 0
  return {
    requests,
    async fetch(_input, init) {
      init?.signal?.throwIfAborted()
      const request = JSON.parse(String(init?.body)) as JsonObject
      requests.push(request)
      const nextId = (prefix: string) => `${prefix}_${++ids}`
      const whole = toResponse(request, reply(request), nextId)
      if (request['stream'] !== true) return Response.json(whole)
      const lines = [...eventsOf(whole, logprobsInDeltasAlone)].map((event, sequence_number) => toLine({ ...event, sequence_number }))
      return new Response(inPieces(lines.join('')), { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
    },
  }
}

function toResponse(request: JsonObject, said: ModelSays, nextId: (prefix: string) => string): JsonObject {
  const { pieces = [], toolCalls = [], reasoning, end = 'completed' } = said
  const wanted = Array.isArray(request['include']) && request['include'].includes('message.output_text.logprobs')
  const logprobs = wanted ? pieces.map(entryOf) : []
  const part = { type: 'output_text', text: pieces.join(''), annotations: [], logprobs }
  const message = { type: 'message', id: nextId('msg'), role: 'assistant', status: 'completed', content: [part] }
  return {
    id: nextId('resp'),
    object: 'response',
    created_at: 1,
    status: end === 'completed' ? 'completed' : 'incomplete',
    incomplete_details: end === 'completed' ? null : { reason: end },
    error: null,
    model: request['model'],
    parallel_tool_calls: true,
    tools: request['tools'] ?? [],
    instructions: request['instructions'] ?? null,
    previous_response_id: request['previous_response_id'] ?? null,
    output: [
      ...(reasoning === undefined ? [] : [{ type: 'reasoning', id: nextId('rs'), summary: [{ type: 'summary_text', text: reasoning }] }]),
      ...(pieces.length === 0 ? [] : [message]),
      ...toolCalls.map((call) => ({ type: 'function_call', id: nextId('fc'), call_id: nextId('call'), status: 'completed', ...call })),
    ],
    usage: {
      input_tokens: 1,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: pieces.length,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: pieces.length + 1,
    },
  }
}

const entryOf = (token: string) => ({ token, logprob: -0.5, bytes: [...Buffer.from(token)], top_logprobs: [] })

function* eventsOf(whole: JsonObject, logprobsInDeltasAlone: boolean): Generator<JsonObject> {
  yield { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } }
  const output = objectsOf(whole['output'])
  const ended = logprobsInDeltasAlone ? output.map(withoutLogprobs) : output
  for (const [output_index, item] of output.entries()) {
    const place = { output_index, item_id: item['id'] }
    yield { type: 'response.output_item.added', ...place, item: { ...item, ...(item['content'] !== undefined && { content: [] }) } }
    if (item['type'] === 'message') yield* textEvents(objectsOf(item['content'])[0] ?? {}, { ...place, content_index: 0 })
    yield { type: 'response.output_item.done', ...place, item: ended[output_index] }
  }
  yield { type: whole['status'] === 'completed' ? 'response.completed' : 'response.incomplete', response: { ...whole, output: ended } }
}

function* textEvents(part: JsonObject, place: JsonObject): Generator<JsonObject> {
  yield { type: 'response.content_part.added', ...place, part: { ...part, text: '', logprobs: [] } }
  const entries = objectsOf(part['logprobs'])
  if (entries.length === 0) yield { type: 'response.output_text.delta', ...place, delta: part['text'], logprobs: [] }
  for (const entry of entries) yield { type: 'response.output_text.delta', ...place, delta: entry['token'], logprobs: [entry] }
}

function withoutLogprobs(item: JsonObject): JsonObject {
  return item['type'] === 'message' ? { ...item, content: objectsOf(item['content']).map((part) => ({ ...part, logprobs: [] })) } : item
}

function toLine(event: JsonObject): string {
  return `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`
}

/** Cut where no line ends, as networks do. */
function inPieces(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      if (sent >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(sent, (sent += 31)))
    },
  })
}
