import type { ServerResponse } from 'node:http'
import type { AskedMessage, Question, Reply, ServedUsage } from './scripted-replies.ts'

/** A parsed request body, as unchecked as `JSON.parse` returns it: only the published clients send it. */
export type Body = Record<string, ReturnType<typeof JSON.parse>>

/** One format of requests and replies of model providers. */
export interface Wire {
  name: string
  path: RegExp
  read(body: Body): Question
  isStream(body: Body, path: string): boolean
  modelOf(body: Body, path: string): string
  /** Whether replies of this wire have what the model thought. */
  tellsThoughts: boolean
  /** The counts that replies of this wire tell. */
  tells: readonly (keyof ServedUsage)[]
  send(exchange: Exchange): void
}

export interface Exchange {
  response: ServerResponse
  reply: Reply
  model: string
  body: Body
  isStream: boolean
  /** Different for each exchange of a run, and the same in each run. */
  id: string
}

/** A call of a tool as the message that makes it. */
export function callMessage(name: string, input: unknown): AskedMessage {
  const values = typeof input === 'string' ? JSON.parse(input) : (input ?? {})
  return { role: 'assistant', texts: [name, ...Object.values(values).filter((value) => typeof value === 'string')] }
}

/** The text of a content that is a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (Array.isArray(content)) return content.map(textOf).join('\n')
  const { text, content: inner, output, response } = (content ?? {}) as Body
  return textOf(text ?? inner ?? output ?? (response === undefined ? '' : JSON.stringify(response)))
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_recorded' })
  response.end(JSON.stringify(body))
}

/** Server-sent events; an event with a `type` is named by it where `named` is true. */
export function sendEvents(response: ServerResponse, events: readonly unknown[], { named, end }: { named: boolean; end?: string }): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_recorded' })
  for (const event of events) {
    const name = named ? `event: ${(event as Body)['type']}\n` : ''
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`)
  }
  response.end(end === undefined ? '' : `data: ${end}\n\n`)
}

/** A text in the pieces in which a stream sends it. */
export const piecesOf = (text: string): string[] => text.split(/(?<= )/)
