import { type Body, sendJson, type Wire } from './wire.ts'

const vector = [0.25, -0.5, 0.125, 0.0625]

export const openaiEmbeddings: Wire = {
  name: 'openai-embeddings',
  path: /\/embeddings$/,
  tellsThoughts: false,
  tells: ['input', 'output'],
  read: () => ({ messages: [], toolNames: [] }),
  isStream: () => false,
  modelOf: ({ model }) => model,
  send({ response, reply, model, body }) {
    const inputs: unknown[] = Array.isArray(body['input']) ? body['input'] : [body['input']]
    const embedding = body['encoding_format'] === 'base64' ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector
    const data: Body[] = inputs.map((_, index) => ({ object: 'embedding', index, embedding }))
    const { input } = reply.usage
    sendJson(response, 200, { object: 'list', data, model, usage: { prompt_tokens: input, total_tokens: input } })
  },
}
