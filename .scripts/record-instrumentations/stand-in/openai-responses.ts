import { openaiRefusal } from './openai-chat.ts'
import type { AskedMessage, ServedUsage } from './scripted-replies.ts'
import { type Body, callMessage, type Exchange, piecesOf, sendEvents, sendJson, textOf, type Wire } from './wire.ts'

const createdAt = 1_760_000_000

export const openaiResponses: Wire = {
  name: 'openai-responses',
  path: /\/responses$/,
  tellsThoughts: true,
  tells: ['input', 'output', 'cached', 'reasoning'],
  read({ input, instructions, tools }) {
    const items: Body[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input
    const system: Body[] = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []
    return { messages: [...system, ...items].flatMap(messagesOf), toolNames: (tools ?? []).flatMap(namesOf) }
  },
  isStream: ({ stream }) => stream === true,
  modelOf: ({ model }) => model,
  send(exchange) {
    if (exchange.reply.refused) return sendJson(exchange.response, 400, openaiRefusal)
    if (!exchange.isStream) return sendJson(exchange.response, 200, responseOf(exchange, itemsOf(exchange)))
    return sendStream(exchange)
  },
}

/** A namespace groups the tools of one server. */
const namesOf = ({ type, name, tools }: Body): string[] => (type === 'namespace' ? tools.flatMap(namesOf) : [name])

function messagesOf({ type, role, content, name, arguments: input, output }: Body): AskedMessage[] {
  if (type === 'function_call') return [callMessage(name, input)]
  if (type === 'function_call_output') return [{ role: 'tool', texts: [textOf(output)] }]
  return role === undefined ? [] : [{ role: role === 'developer' ? 'system' : role, texts: [textOf(content)] }]
}

const usageOf = ({ input, output, cached, reasoning }: ServedUsage) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
})

function itemsOf({ reply, id, body }: Exchange): Body[] {
  const namespace =
    reply.tool && (body['tools'] ?? []).find((tool: Body) => tool['type'] === 'namespace' && namesOf(tool).includes(reply.tool!.name))
  const thought = reply.thinking && { type: 'reasoning', id: `rs_${id}`, summary: [{ type: 'summary_text', text: reply.thinking }] }
  const call = reply.tool && {
    type: 'function_call',
    id: `fc_${id}`,
    call_id: `call_${id}`,
    name: reply.tool.name,
    ...(namespace && { namespace: namespace.name }),
    arguments: JSON.stringify(reply.tool.input),
    status: 'completed',
  }
  const message = reply.text && {
    type: 'message',
    id: `msg_${id}`,
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text: reply.text, annotations: [], logprobs: [] }],
  }
  return [thought, call, message].filter((item) => typeof item === 'object')
}

const responseOf = ({ reply, model, id, body }: Exchange, output: Body[], isDone = true) => ({
  id: `resp_${id}`,
  object: 'response',
  created_at: createdAt,
  status: isDone ? 'completed' : 'in_progress',
  background: false,
  error: null,
  incomplete_details: null,
  instructions: body['instructions'] ?? null,
  max_output_tokens: null,
  model,
  output,
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: 'medium', summary: null },
  service_tier: 'default',
  store: true,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: body['tools'] ?? [],
  top_p: 1,
  truncation: 'disabled',
  usage: isDone ? usageOf(reply.usage) : null,
  user: null,
  metadata: {},
})

function sendStream(exchange: Exchange): void {
  const items = itemsOf(exchange)
  const events: Body[] = [
    { type: 'response.created', response: responseOf(exchange, [], false) },
    { type: 'response.in_progress', response: responseOf(exchange, [], false) },
    ...items.flatMap((item, at) => eventsOfItem(item, at)),
    { type: 'response.completed', response: responseOf(exchange, items) },
  ]
  sendEvents(
    exchange.response,
    events.map((event, at) => ({ ...event, sequence_number: at })),
    { named: true },
  )
}

function eventsOfItem(item: Body, at: number): Body[] {
  const place = { item_id: item['id'], output_index: at }
  const added = {
    type: 'response.output_item.added',
    output_index: at,
    item: { ...item, ...(item['type'] === 'message' ? { content: [] } : {}) },
  }
  const done = { type: 'response.output_item.done', output_index: at, item }
  if (item['type'] === 'function_call')
    return [
      { ...added, item: { ...item, arguments: '', status: 'in_progress' } },
      { type: 'response.function_call_arguments.delta', ...place, delta: item['arguments'] },
      { type: 'response.function_call_arguments.done', ...place, name: item['name'], arguments: item['arguments'] },
      done,
    ]
  if (item['type'] !== 'message') return [added, done]
  const [part] = item['content']
  const where = { ...place, content_index: 0 }
  return [
    added,
    { type: 'response.content_part.added', ...where, part: { ...part, text: '' } },
    ...piecesOf(part.text).map((delta) => ({ type: 'response.output_text.delta', ...where, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...where, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...where, part },
    done,
  ]
}
