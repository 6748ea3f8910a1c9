import type { JsonObject } from '@heddle/core-api'

/** What the model says to a request: texts a piece for each token, then its tool calls. */
export interface MessageSays {
  thinking?: string
  pieces?: string[]
  toolUses?: { name: string; input: JsonObject }[]
  /** Default `end_turn`, or `tool_use` where it calls tools. */
  end?: string
}

export interface MessagesEndpoint {
  fetch: typeof fetch
  requests: JsonObject[]
}

/** A `fetch` that behaves as an endpoint of Messages, plain and streamed, with the tokens where `return_token_ids` is set. */
export function createMessagesEndpoint(reply: (request: JsonObject) => MessageSays): MessagesEndpoint {
  const requests: JsonObject[] = []
  return {
    requests,
    async fetch(_input, init) {
      init?.signal?.throwIfAborted()
      const request = JSON.parse(String(init?.body)) as JsonObject
      requests.push(request)
      const whole = toMessage(request, reply(request), requests.length)
      if (request['stream'] !== true) return Response.json(whole)
      const text = [...eventsOf(whole)].map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join('')
      return new Response(inPieces(text), { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
    },
  }
}

type Whole = JsonObject & { content: JsonObject[]; tokens: JsonObject }

function toMessage(request: JsonObject, { thinking, pieces = [], toolUses = [], end }: MessageSays, number: number): JsonObject {
  const content = [
    ...(thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: 's' }]),
    ...(pieces.length === 0 ? [] : [{ type: 'text', text: pieces.join(''), citations: null }]),
    ...toolUses.map((use, index) => ({ type: 'tool_use', id: `toolu_${number}_${index}`, ...use })),
  ]
  const logprobs = { content: pieces.map((token) => ({ token, logprob: -0.5, bytes: [...Buffer.from(token)], top_logprobs: [] })) }
  return {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model: request['model'],
    content,
    stop_reason: end ?? (toolUses.length > 0 ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: pieces.length },
    ...(request['return_token_ids'] === true && { token_ids: pieces.map((_, index) => index), prompt_token_ids: [7], logprobs }),
  }
}

function* eventsOf(message: JsonObject): Generator<JsonObject> {
  const { content, stop_reason, stop_sequence, usage, token_ids, prompt_token_ids, logprobs, ...head } = message as Whole
  yield { type: 'message_start', message: { ...head, content: [], stop_reason: null, stop_sequence: null, usage } }
  yield { type: 'ping' }
  for (const [index, block] of content.entries()) {
    const [empty, deltas] = inDeltas(block)
    yield { type: 'content_block_start', index, content_block: empty }
    for (const delta of deltas) yield { type: 'content_block_delta', index, delta }
    yield { type: 'content_block_stop', index }
  }
  yield { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage, token_ids, prompt_token_ids, logprobs }
  yield { type: 'message_stop' }
}

function inDeltas(block: JsonObject): [JsonObject, JsonObject[]] {
  const halves = (text: string) => [text.slice(0, text.length / 2), text.slice(text.length / 2)]
  if (block['type'] === 'thinking')
    return [{ ...block, thinking: '' }, halves(String(block['thinking'])).map((thinking) => ({ type: 'thinking_delta', thinking }))]
  if (block['type'] === 'text') return [{ ...block, text: '' }, halves(String(block['text'])).map((text) => ({ type: 'text_delta', text }))]
  const json = halves(JSON.stringify(block['input']).replace(':', ': '))
  return [{ ...block, input: {} }, json.map((partial_json) => ({ type: 'input_json_delta', partial_json }))]
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
