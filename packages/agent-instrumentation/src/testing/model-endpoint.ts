import type { JsonObject } from '@heddle/core-api'

/** A request that arrived at the endpoint. */
export interface ArrivedRequest {
  /** Place among all requests, from 1. */
  number: number
  url: string
  headers: Headers
  body: JsonObject & { messages: JsonObject[]; stream?: boolean; n?: number }
}

export interface ModelEndpoint {
  fetch: typeof fetch
  requests: ArrivedRequest[]
}

/** What the model says, a piece for each token. */
export type Reply = (request: ArrivedRequest, choice: number) => { pieces: string[]; toolCall?: { name: string; arguments: string } }

/** A `fetch` that behaves as an endpoint for chat completions, plain and streamed, with log-probabilities and token ids on request. */
export function createModelEndpoint(reply: Reply, headers: Readonly<Record<string, string>> = {}): ModelEndpoint {
  const requests: ArrivedRequest[] = []
  return {
    requests,
    async fetch(input, init) {
      init?.signal?.throwIfAborted()
      const body = JSON.parse(String(init?.body)) as ArrivedRequest['body']
      const request = { number: requests.length + 1, url: String(input), headers: new Headers(init?.headers), body }
      requests.push(request)
      const count = request.body.n ?? 1
      const replies = Array.from({ length: count }, (_, choice) => reply(request, choice))
      if (request.body.stream !== true)
        return json(
          { ...envelope(request, 'chat.completion'), choices: replies.map((one, index) => wholeChoice(one, index, request)) },
          headers,
        )
      return new Response(chunksOf(request, replies), { headers: { 'content-type': 'text/event-stream; charset=utf-8', ...headers } })
    },
  }
}

type Said = ReturnType<Reply>

const idOf = (piece: string) => [...piece].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)

function json(body: JsonObject, headers: Readonly<Record<string, string>>): Response {
  return Response.json(body, { headers })
}

function envelope({ number, body }: ArrivedRequest, object: string): JsonObject {
  const prompt = body['return_token_ids'] === true && { prompt_token_ids: body.messages.map((_, index) => index) }
  return { id: `chat-${number}`, object, created: 1, model: body['model'], ...prompt }
}

function entries(pieces: string[], { body }: ArrivedRequest) {
  if (body['logprobs'] !== true) return null
  return {
    content: pieces.map((piece) => ({ token: `token_id:${idOf(piece)}`, logprob: -0.5, bytes: [...Buffer.from(piece)], top_logprobs: [] })),
    refusal: null,
  }
}

function toolCalls({ toolCall }: Said) {
  return toolCall && [{ id: 'call-1', type: 'function', function: toolCall }]
}

function wholeChoice(said: Said, index: number, request: ArrivedRequest): JsonObject {
  const calls = toolCalls(said)
  return {
    index,
    finish_reason: calls ? 'tool_calls' : 'stop',
    logprobs: entries(said.pieces, request),
    message: { role: 'assistant', content: said.pieces.join(''), refusal: null, ...(calls && { tool_calls: calls }) },
    ...(request.body['return_token_ids'] === true && { token_ids: said.pieces.map(idOf) }),
  }
}

function chunksOf(request: ArrivedRequest, replies: Said[]): ReadableStream<Uint8Array> {
  const lines = [...chunkLines(request, replies), 'data: [DONE]\n\n'].join('')
  // Cut where no line ends, as networks do.
  const bytes = new TextEncoder().encode(lines)
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      if (sent >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(sent, (sent += 17)))
    },
  })
}

function* chunkLines(request: ArrivedRequest, replies: Said[]): Generator<string> {
  const line = (choices: JsonObject[], first = false) => {
    const head = envelope(request, 'chat.completion.chunk')
    if (!first) delete head['prompt_token_ids']
    return `data: ${JSON.stringify({ ...head, choices })}\n\n`
  }
  yield line(
    replies.map((_, index) => ({ index, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null })),
    true,
  )
  for (const [index, said] of replies.entries()) {
    for (const piece of said.pieces) {
      const ids = request.body['return_token_ids'] === true && { token_ids: [idOf(piece)] }
      yield line([{ index, delta: { content: piece }, logprobs: entries([piece], request), finish_reason: null, ...ids }])
    }
    for (const delta of toolCallDeltas(said)) yield line([{ index, delta, finish_reason: null }])
    yield line([{ index, delta: {}, logprobs: null, finish_reason: said.toolCall ? 'tool_calls' : 'stop' }])
  }
}

function toolCallDeltas({ toolCall }: Said): JsonObject[] {
  if (!toolCall) return []
  const middle = toolCall.arguments.length >> 1
  const parts = [toolCall.arguments.slice(0, middle), toolCall.arguments.slice(middle)]
  const head = { index: 0, id: 'call-1', type: 'function', function: { name: toolCall.name, arguments: '' } }
  return [{ tool_calls: [head] }, ...parts.map((text) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] }))]
}
