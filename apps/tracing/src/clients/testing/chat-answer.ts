import type { ServerResponse } from 'node:http'

export interface ChatRequest {
  model: string
  messages: { role: string; content: unknown }[]
  tools?: { function: { name: string } }[]
  stream?: boolean
  stream_options?: { include_usage?: boolean }
}

interface ChatMessage {
  role: 'assistant'
  content: string | null
  tool_calls?: { index: number; id: string; type: 'function'; function: { name: string; arguments: string } }[]
}

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18, prompt_tokens_details: { cached_tokens: 3 } }
const created = 1_772_323_200

/**
 * Answers `It is sunny in Oslo.`; a conversation with tools in which none has answered yet gets a call of the first one, for Oslo.
 * Every answer says it took 11 tokens in, 3 of them cached, and 7 out.
 */
export function answerChat(request: ChatRequest, response: ServerResponse): void {
  const message = toMessage(request)
  const finishReason = message.tool_calls ? 'tool_calls' : 'stop'
  const head = { id: 'chatcmpl-1', created, model: request.model }
  if (request.stream === true) return streamChunks({ request, response, head, message, finishReason })
  const choices = [{ index: 0, message: { ...message, refusal: null }, logprobs: null, finish_reason: finishReason }]
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }))
}

function toMessage({ tools, messages }: ChatRequest): ChatMessage {
  const name = tools?.[0]?.function.name
  if (name === undefined || messages.some(({ role }) => role === 'tool')) return { role: 'assistant', content: 'It is sunny in Oslo.' }
  const call = { index: 0, id: 'call-1', type: 'function' as const, function: { name, arguments: '{"city":"Oslo"}' } }
  return { role: 'assistant', content: null, tool_calls: [call] }
}

interface Stream {
  request: ChatRequest
  response: ServerResponse
  head: object
  message: ChatMessage
  finishReason: string
}

function streamChunks({ request, response, head, message, finishReason }: Stream): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (chunk: object) => response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...chunk })}\n\n`)
  const delta = (delta: object, finish_reason: string | null = null) => send({ choices: [{ index: 0, delta, finish_reason }] })
  delta({ role: 'assistant', content: '' })
  for (const word of message.content?.split(/(?<= )/) ?? []) delta({ content: word })
  if (message.tool_calls) delta({ tool_calls: message.tool_calls })
  delta({}, finishReason)
  if (request.stream_options?.include_usage === true) send({ choices: [], usage })
  response.end('data: [DONE]\n\n')
}
