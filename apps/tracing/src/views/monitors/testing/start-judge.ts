import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import { createModelProviders } from '../../../providers/model-providers.ts'

/** A provider on loopback whose models give every answer the score 1, for 30 tokens of prompt and 10 of completion. */
export async function startJudge() {
  const prompts: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { content: string }[] }
      prompts.push(messages.at(-1)?.content ?? '')
      const usage = { prompt_tokens: 30, completion_tokens: 10, total_tokens: 40 }
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ choices: [{ message: { content: '{"score": 1}' } }], usage }))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    /** What it was asked, in order. */
    prompts,
    /** What a server needs to ask it, as the provider `local`. */
    service: {
      providers: createModelProviders([{ name: 'local', baseUrl, apiKey: 'provider-secret' }], 'local'),
      outgoing: createOutgoing({ allowed: parseAllowedTargets(['127.0.0.1']) }),
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
