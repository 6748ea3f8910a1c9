import type { JsonObject } from '@heddle/core-api'
import { objectsOf, parseObject } from './json-values.ts'

/** A request for a chat completion that is about to be sent. */
export interface ChatRequest {
  url: string
  body: JsonObject
}

/** Paths of model calls that are not chat completions. They are sent unchanged, and counted. */
const otherModelPaths = /\/(responses|completions|messages|embeddings)\/?$/

export type RequestKind = 'chat' | 'other-model' | 'none'

export function kindOf(method: string, url: string): RequestKind {
  if (method !== 'POST' || !URL.canParse(url)) return 'none'
  const { pathname } = new URL(url)
  if (/\/chat\/completions\/?$/.test(pathname)) return 'chat'
  return otherModelPaths.test(pathname) ? 'other-model' : 'none'
}

/** Undefined for a body that is not the JSON of a chat request in one piece. */
export function readChatRequest(url: string, body: unknown): ChatRequest | undefined {
  const text = typeof body === 'string' ? body : body instanceof Uint8Array ? new TextDecoder().decode(body) : undefined
  const object = text === undefined ? undefined : parseObject(text)
  return object && Array.isArray(object['messages']) ? { url, body: object } : undefined
}

export function toolsOf({ body }: ChatRequest): JsonObject[] | null {
  const tools = objectsOf(body['tools'])
  return tools.length === 0 ? null : tools
}
