import type { ServerResponse } from 'node:http'

export interface EmbeddingsRequest {
  model: string
  input: string | string[]
  encoding_format?: 'float' | 'base64'
}

const vector = [0.25, -0.5, 1]

/** The same vector for every text, 4 tokens each. */
export function answerEmbeddings({ model, input, encoding_format }: EmbeddingsRequest, response: ServerResponse): void {
  const embedding = encoding_format === 'base64' ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector
  const data = [input].flat().map((_, index) => ({ object: 'embedding', index, embedding }))
  const usage = { prompt_tokens: 4 * data.length, total_tokens: 4 * data.length }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', model, data, usage }))
}
