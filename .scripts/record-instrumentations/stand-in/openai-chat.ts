import type { AskedMessage, ServedUsage } from './scripted-replies.ts'
import { type Body, callMessage, type Exchange, piecesOf, sendEvents, sendJson, textOf, type Wire } from './wire.ts'

const createdAt = 1_760_000_000

/** Chat completions and, since clients call both at one address, what they answer to a refused request. */
export const openaiChat: Wire = {
  name: 'openai-chat',
  path: /\/chat\/completions$/,
  tellsThoughts: false,
  tells: ['input', 'output', 'cached', 'reasoning'],
  read: ({ messages, tools }) => ({
    messages: messages.flatMap(messagesOf),
    toolNames: (tools ?? []).map((tool: Body) => tool['function']?.name ?? tool['name']),
  }),
  isStream: ({ stream }) => stream === true,
  modelOf: ({ model }) => model,
  send(exchange) {
    if (exchange.reply.refused) return sendJson(exchange.response, 400, openaiRefusal)
    return exchange.isStream ? sendStream(exchange) : sendWhole(exchange)
  },
}

export const openaiRefusal = {
  error: { message: 'The request was refused by the stand-in.', type: 'invalid_request_error', param: null, code: 'refused' },
}

function messagesOf({ role, content, tool_calls: calls }: Body): AskedMessage[] {
  const text = textOf(content)
  const said: AskedMessage[] = text === '' ? [] : [{ role: role === 'developer' ? 'system' : role, texts: [text] }]
  return [...said, ...(calls ?? []).map((call: Body) => callMessage(call['function'].name, call['function'].arguments))]
}

const chatUsage = ({ input, output, cached, reasoning }: ServedUsage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
})

const toolCallOf = ({ reply, id }: Exchange) =>
  reply.tool && { id: `call_${id}`, type: 'function', function: { name: reply.tool.name, arguments: JSON.stringify(reply.tool.input) } }

function sendWhole(exchange: Exchange): void {
  const { response, reply, model, id } = exchange
  const call = toolCallOf(exchange)
  const message = { role: 'assistant', content: reply.text ?? null, refusal: null, annotations: [], ...(call && { tool_calls: [call] }) }
  sendJson(response, 200, {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: createdAt,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: call ? 'tool_calls' : 'stop' }],
    usage: chatUsage(reply.usage),
    service_tier: 'default',
    system_fingerprint: 'fp_recorded',
  })
}

function sendStream(exchange: Exchange): void {
  const { response, reply, model, id, body } = exchange
  const chunk = (choices: unknown[], more = {}) => ({
    id: `chatcmpl-${id}`,
    object: 'chat.completion.chunk',
    created: createdAt,
    model,
    service_tier: 'default',
    system_fingerprint: 'fp_recorded',
    choices,
    ...more,
  })
  const piece = (delta: unknown, finish: string | null = null) => chunk([{ index: 0, delta, logprobs: null, finish_reason: finish }])
  const call = toolCallOf(exchange)
  const contents = call
    ? [
        piece({ tool_calls: [{ index: 0, ...call, function: { ...call.function, arguments: '' } }] }),
        ...argumentPieces(call).map((delta) => piece(delta)),
      ]
    : piecesOf(reply.text ?? '').map((content) => piece({ content }))
  const withUsage = body['stream_options']?.include_usage === true
  sendEvents(
    response,
    [
      piece({ role: 'assistant', content: call ? null : '', refusal: null }),
      ...contents,
      piece({}, call ? 'tool_calls' : 'stop'),
      ...(withUsage ? [chunk([], { usage: chatUsage(reply.usage) })] : []),
    ],
    { named: false, end: '[DONE]' },
  )
}

const argumentPieces = (call: { function: { arguments: string } }) =>
  (call.function.arguments.match(/.{1,6}/gs) ?? []).map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] }))
