import type { AskedMessage, ServedUsage } from './scripted-replies.ts'
import { type Body, callMessage, type Exchange, piecesOf, sendEvents, sendJson, textOf, type Wire } from './wire.ts'

export const anthropicMessages: Wire = {
  name: 'anthropic-messages',
  path: /\/messages$/,
  tellsThoughts: true,
  tells: ['input', 'output', 'cached', 'written'],
  read: ({ messages, system, tools }) => ({
    messages: [...(system === undefined ? [] : [{ role: 'system', content: textOf(system) }]), ...messages].flatMap(messagesOf),
    toolNames: (tools ?? []).map(({ name }: Body) => name),
  }),
  isStream: ({ stream }) => stream === true,
  modelOf: ({ model }) => model,
  send(exchange) {
    if (exchange.reply.refused) return sendJson(exchange.response, 400, refusal)
    const blocks = blocksOf(exchange)
    return exchange.isStream ? sendStream(exchange, blocks) : sendJson(exchange.response, 200, messageOf(exchange, blocks))
  },
}

function messagesOf({ role, content }: Body): AskedMessage[] {
  const parts: Body[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return parts.flatMap((part): AskedMessage[] => {
    if (part['type'] === 'tool_use') return [callMessage(part['name'], part['input'])]
    if (part['type'] === 'tool_result') return [{ role: 'tool', texts: [textOf(part['content'])] }]
    return part['type'] === 'text' ? [{ role, texts: [part['text']] }] : []
  })
}

const refusal = {
  type: 'error',
  error: { type: 'invalid_request_error', message: 'The request was refused by the stand-in.' },
  request_id: 'req_recorded',
}

/** Input counts of this provider exclude cached tokens; thinking tokens are included in the output and not counted separately. */
const usageOf = ({ input, output, cached, written }: ServedUsage) => ({
  input_tokens: input - cached - written,
  cache_creation_input_tokens: written,
  cache_read_input_tokens: cached,
  cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
  output_tokens: output,
  service_tier: 'standard',
})

const blocksOf = ({ reply, id }: Exchange): Body[] => [
  ...(reply.thinking === undefined ? [] : [{ type: 'thinking', thinking: reply.thinking, signature: 'c2lnbmF0dXJl' }]),
  ...(reply.text === undefined ? [] : [{ type: 'text', text: reply.text, citations: null }]),
  ...(reply.tool === undefined ? [] : [{ type: 'tool_use', id: `toolu_${id}`, name: reply.tool.name, input: reply.tool.input }]),
]

const messageOf = ({ reply, model, id }: Exchange, content: Body[]) => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model,
  content,
  stop_reason: reply.tool === undefined ? 'end_turn' : 'tool_use',
  stop_sequence: null,
  usage: usageOf(reply.usage),
})

function sendStream(exchange: Exchange, blocks: Body[]): void {
  const whole = messageOf(exchange, blocks)
  const begun = { ...whole, content: [], stop_reason: null, usage: { ...whole.usage, output_tokens: 1 } }
  const end = { type: 'message_delta', delta: { stop_reason: whole.stop_reason, stop_sequence: null }, usage: whole.usage }
  const events = [{ type: 'message_start', message: begun }, ...blocks.flatMap(eventsOfBlock), end, { type: 'message_stop' }]
  sendEvents(exchange.response, events, { named: true })
}

function eventsOfBlock(block: Body, index: number): Body[] {
  const delta = (content: Body) => ({ type: 'content_block_delta', index, delta: content })
  const around = (start: Body, deltas: Body[]) => [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map(delta),
    { type: 'content_block_stop', index },
  ]
  if (block['type'] === 'text')
    return around(
      { ...block, text: '' },
      piecesOf(block['text']).map((text) => ({ type: 'text_delta', text })),
    )
  if (block['type'] === 'tool_use')
    return around({ ...block, input: {} }, [{ type: 'input_json_delta', partial_json: JSON.stringify(block['input']) }])
  return around({ ...block, thinking: '', signature: '' }, [
    { type: 'thinking_delta', thinking: block['thinking'] },
    { type: 'signature_delta', signature: block['signature'] },
  ])
}
