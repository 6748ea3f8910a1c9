import type { JsonObject } from '@heddle/core-api'
import { chatApi } from './chat/chat-api.ts'
import { parseObject } from './json-values.ts'
import { messagesApi } from './messages/messages-api.ts'
import type { ModelApi, Unrecordable } from './model-api.ts'
import { responsesApi } from './responses/responses-api.ts'

/** A model call that is about to be sent. */
export interface ModelRequest {
  api: ModelApi
  url: string
  body: JsonObject
}

const apis: readonly { path: RegExp; api: ModelApi }[] = [
  { path: /\/chat\/completions\/?$/, api: chatApi },
  { path: /\/responses\/?$/, api: responsesApi },
  // Of other paths that end so, threads of OpenAI have one too.
  { path: /\/v1\/messages\/?$/, api: messagesApi },
]

/** Paths of model calls that have no form as chat completions. They are sent unchanged, and counted. */
const otherModelPaths = /\/(completions|messages|embeddings)\/?$/

/** The API that a request is of; `other` for a model call of none, undefined for anything else. */
export function apiOf(method: string, url: string): ModelApi | 'other' | undefined {
  if (method !== 'POST' || !URL.canParse(url)) return undefined
  const { pathname } = new URL(url)
  const known = apis.find(({ path }) => path.test(pathname))
  if (known) return known.api
  return otherModelPaths.test(pathname) ? 'other' : undefined
}

export function readModelRequest(api: ModelApi, url: string, body: unknown): ModelRequest | Unrecordable {
  const text = typeof body === 'string' ? body : body instanceof Uint8Array ? new TextDecoder().decode(body) : undefined
  const object = text === undefined ? undefined : parseObject(text)
  if (!object) return { unrecordable: `a request to ${url} whose body is not JSON in one piece` }
  const problem = api.problemOf(object)
  return problem === undefined ? { api, url, body: object } : { unrecordable: `a request to ${url} that is not a model call: ${problem}` }
}
