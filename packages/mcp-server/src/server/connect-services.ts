import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { ToolContext } from '../tools/tool-context.ts'
import type { McpCaller } from './caller.ts'
import type { ServerOptions } from './server-options.ts'

/** Typed clients of both services. */
export type Services = Pick<ToolContext, 'tracing' | 'training'>

const maxAnswerBytes = 64 * 2 ** 20

/** Sends keys to the configured services alone: a redirect is an error. */
export function withoutRedirects(send: typeof fetch = fetch): typeof fetch {
  return (input, init) => send(input, { ...init, redirect: 'error' })
}

/** Clients with the key of the caller, which goes to no other server. */
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
    tracing: createClient({ ...common, baseUrl, contract: tracing }),
    training: createClient({ ...common, baseUrl: trainingBaseUrl, contract: training }),
  }
}
