import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropicMessages } from './anthropic-messages.ts'
import { googleGenerateContent } from './google-generate-content.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiEmbeddings } from './openai-embeddings.ts'
import { openaiResponses } from './openai-responses.ts'
import { readBody } from './read-body.ts'
import { type AskedMessage, type Reply, replyTo, type Scene, type ServedUsage } from './scripted-replies.ts'
import { type Body, sendJson, type Wire } from './wire.ts'

/** One export as it came, after its content encoding was undone. */
export interface ExportedBody {
  signal: 'traces' | 'logs'
  type: string
  bytes: Buffer
}

/** One request to the model provider and what it was answered. */
export interface ServedRequest {
  wire: string
  scene: Scene
  model: string
  isStream: boolean
  messages: readonly AskedMessage[]
  /** The counts that the reply told; streams of chat completions tell them only to requests that ask for it. */
  usage: Partial<ServedUsage> | null
  refused: boolean
  reply: { [Name in 'thinking' | 'text' | 'tool']?: Reply[Name] | undefined }
}

export interface StandIn {
  url: string
  served: ServedRequest[]
  exported: ExportedBody[]
  close(): Promise<void>
}

const wires: readonly Wire[] = [openaiChat, openaiResponses, openaiEmbeddings, anthropicMessages, googleGenerateContent]
/** The names under which providers report what a request calls by an alias. */
export const datedModels: Record<string, string> = {
  'gpt-5-mini': 'gpt-5-mini-2025-08-07',
  'claude-sonnet-4-5': 'claude-sonnet-4-5-20250929',
}
const embedded: Reply = { scene: 'embed', usage: { input: 7, output: 0, cached: 0, written: 0, reasoning: 0 } }

/** Serves the wire formats of model providers with scripted replies, and takes OTLP exports, on a free port of the loopback address. */
export async function startStandIn(): Promise<StandIn> {
  const served: ServedRequest[] = []
  const exported: ExportedBody[] = []
  const server = createServer((request, response) => {
    readBody(request)
      .then((bytes) => takeExport(request, bytes, exported) || answer({ request, response, bytes, served }))
      .then((isTaken) => isTaken === true && sendJson(response, 200, {}))
      .catch((error: unknown) => sendJson(response, 500, { error: String(error) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    served,
    exported,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  }
}

function takeExport(request: IncomingMessage, bytes: Buffer, exported: ExportedBody[]): boolean {
  const signal = /\/v1\/(traces|logs|metrics)$/.exec(pathOf(request))?.[1]
  const type = (request.headers['content-type'] ?? '').split(';')[0] ?? ''
  if (signal === 'traces' || signal === 'logs') exported.push({ signal, type, bytes })
  return signal !== undefined
}

interface ModelRequest {
  request: IncomingMessage
  response: ServerResponse
  bytes: Buffer
  served: ServedRequest[]
}

function answer({ request, response, bytes, served }: ModelRequest): void {
  const path = pathOf(request)
  const wire = request.method === 'POST' ? wires.find((each) => each.path.test(path)) : undefined
  if (wire === undefined) return sendJson(response, 404, { error: { message: `${request.method} ${path} is not served here` } })
  const body = JSON.parse(bytes.toString()) as Body
  const question = wire.read(body)
  const reply = wire === openaiEmbeddings ? embedded : replyTo(question)
  const asked = wire.modelOf(body, path)
  const model = datedModels[asked] ?? asked
  const isStream = wire.isStream(body, path)
  const refused = reply.refused === true
  const tellsUsage = !refused && !(wire === openaiChat && isStream && body['stream_options']?.include_usage !== true)
  const usage = tellsUsage ? Object.fromEntries(wire.tells.map((count) => [count, reply.usage[count]])) : null
  const { scene, thinking, text, tool } = reply
  const { messages } = question
  served.push({
    wire: wire.name,
    scene,
    model,
    isStream,
    messages,
    usage,
    refused,
    reply: { ...(wire.tellsThoughts && { thinking }), text, tool },
  })
  wire.send({ response, reply, model, body, isStream, id: `${scene}_${served.length}` })
}

const pathOf = (request: IncomingMessage): string => new URL(request.url ?? '/', 'http://stand-in').pathname
