import type { AskedMessage, ServedUsage } from './scripted-replies.ts'
import { type Body, callMessage, type Exchange, piecesOf, sendEvents, sendJson, textOf, type Wire } from './wire.ts'

export const googleGenerateContent: Wire = {
  name: 'google-generate-content',
  path: /\/models\/[^/]+:(stream)?generateContent$/i,
  tellsThoughts: true,
  tells: ['input', 'output', 'cached', 'reasoning'],
  read: ({ contents, systemInstruction, tools }) => ({
    messages: [...(systemInstruction === undefined ? [] : [{ ...systemInstruction, role: 'system' }]), ...contents].flatMap(messagesOf),
    toolNames: (tools ?? []).flatMap(({ functionDeclarations }: Body) => (functionDeclarations ?? []).map(({ name }: Body) => name)),
  }),
  isStream: (_, path) => path.includes(':streamGenerateContent'),
  modelOf: (_, path) => /\/models\/([^/:]+):/.exec(path)?.[1] ?? '',
  send(exchange) {
    const { response, reply, isStream } = exchange
    if (reply.refused) return sendJson(response, 400, refusal)
    return isStream ? sendStream(exchange) : sendJson(response, 200, chunkOf(exchange, partsOf(exchange), true))
  },
}

function messagesOf({ role, parts }: Body): AskedMessage[] {
  return parts.flatMap((part: Body): AskedMessage[] => {
    if (part['functionCall'] !== undefined) return [callMessage(part['functionCall'].name, part['functionCall'].args)]
    if (part['functionResponse'] !== undefined) return [{ role: 'tool', texts: [textOf(part['functionResponse'])] }]
    const author = role === 'model' ? 'assistant' : role === 'system' ? 'system' : 'user'
    return part['text'] === undefined ? [] : [{ role: author, texts: [part['text']] }]
  })
}

const refusal = { error: { code: 400, message: 'The request was refused by the stand-in.', status: 'INVALID_ARGUMENT' } }

/** Thoughts are counted beside the candidates here. */
const usageOf = ({ input, output, cached, reasoning }: ServedUsage) => ({
  promptTokenCount: input,
  candidatesTokenCount: output - reasoning,
  totalTokenCount: input + output,
  ...(cached > 0 && { cachedContentTokenCount: cached }),
  ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
})

const partsOf = ({ reply }: Exchange): Body[] => [
  ...(reply.thinking === undefined ? [] : [{ text: reply.thinking, thought: true }]),
  ...(reply.text === undefined ? [] : [{ text: reply.text }]),
  ...(reply.tool === undefined ? [] : [{ functionCall: { name: reply.tool.name, args: reply.tool.input } }]),
]

const chunkOf = ({ reply, model, id }: Exchange, parts: Body[], isLast: boolean) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...(isLast && { finishReason: 'STOP' }) }],
  ...(isLast && { usageMetadata: usageOf(reply.usage) }),
  modelVersion: model,
  responseId: `resp_${id}`,
})

function sendStream(exchange: Exchange): void {
  const pieces = partsOf(exchange).flatMap((part) =>
    part['text'] === undefined ? [part] : piecesOf(part['text']).map((text) => ({ ...part, text })),
  )
  const chunks = pieces.map((part, at) => chunkOf(exchange, [part], at === pieces.length - 1))
  sendEvents(exchange.response, chunks, { named: false })
}
