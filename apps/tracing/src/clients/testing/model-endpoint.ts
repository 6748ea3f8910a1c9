import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerChat, type ChatRequest } from './chat-answer.ts'
import { answerEmbeddings, type EmbeddingsRequest } from './embeddings-answer.ts'

export interface ModelEndpoint {
  /** Base address that model clients take, with `/v1`. */
  url: string
  close(): Promise<void>
}

const maxBodyBytes = 1024 * 1024

/** A stand-in for a model provider, on loopback: chat completions (also streamed, with tools) and embeddings. The model `missing` is not there. */
export async function startModelEndpoint(): Promise<ModelEndpoint> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => refuse(response, 400, String(error)))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body: unknown = JSON.parse(await readText(request))
  const { model } = body as { model: string }
  if (model === 'missing') return refuse(response, 404, 'The model `missing` does not exist')
  if (request.url === '/v1/chat/completions') return answerChat(body as ChatRequest, response)
  if (request.url === '/v1/embeddings') return answerEmbeddings(body as EmbeddingsRequest, response)
  refuse(response, 404, `No such path: ${request.url}`)
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > maxBodyBytes) throw new Error(`more than ${maxBodyBytes} bytes`)
  }
  return text
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const error = { message, type: 'invalid_request_error', param: null, code: status === 404 ? 'model_not_found' : null }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
}
