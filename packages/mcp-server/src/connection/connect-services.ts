import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { parseExactJson, stringifyJson } from '@heddle/json/exact'
import type { ToolContext } from '../tools/tool-context.ts'
import type { McpCaller } from './caller.ts'
import type { ServerOptions } from './server-options.ts'

/** Typed clients of both services. */
export type Services = Pick<ToolContext, 'tracing' | 'exactTracing' | 'training'>

const maxAnswerBytes = 64 * 2 ** 20

/** Sends keys to the configured services alone: a redirect is an error. */
export function withoutRedirects(send: typeof fetch = fetch): typeof fetch {
  return (input, init) => send(input, { ...init, redirect: 'error' })
}

/** Arguments of tools are sent as they were written; numbers of answers are those of JavaScript. */
const exactRequests = { parse: (text: string): unknown => JSON.parse(text), stringify: stringifyJson }

/** Clients with the caller's key, which is sent to no other server. */
export function connectServices(options: ServerOptions, caller: McpCaller): Services {
  const { baseUrl, trainingBaseUrl = baseUrl } = options
  const apiKey = caller.apiKey ?? options.apiKey
  const common = {
    retries: 2,
    maxAnswerBytes,
    fetch: withoutRedirects(options.fetch),
    ...(apiKey !== undefined && { apiKey }),
  }
  return {
    tracing: createClient({ ...common, baseUrl, contract: tracing, json: exactRequests }),
    exactTracing: createClient({ ...common, baseUrl, contract: tracing, json: { parse: parseExactJson, stringify: stringifyJson } }),
    training: createClient({ ...common, baseUrl: trainingBaseUrl, contract: training, json: exactRequests }),
  }
}
