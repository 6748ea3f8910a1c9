import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { ToolContext } from '../tools/tool-context.ts'
import type { McpCaller } from './caller.ts'
import type { ServerOptions } from './server-options.ts'

/** Typed clients of both services. */
export type Services = Pick<ToolContext, 'tracing' | 'training'>

const maxAnswerBytes = 64 * 2 ** 20

/** Clients with the key of the caller, which goes to the configured services alone: a redirect is an error. */
export function connectServices(options: ServerOptions, caller: McpCaller): Services {
  const { baseUrl, trainingBaseUrl = baseUrl } = options
  const send = options.fetch ?? fetch
  const apiKey = caller.apiKey ?? options.apiKey
  const common = {
    retries: 2,
    maxAnswerBytes,
    fetch: ((input, init) => send(input, { ...init, redirect: 'error' })) satisfies typeof fetch,
    ...(apiKey !== undefined && { apiKey }),
  }
  return {
    tracing: createClient({ ...common, baseUrl, contract: tracing }),
    training: createClient({ ...common, baseUrl: trainingBaseUrl, contract: training }),
  }
}
