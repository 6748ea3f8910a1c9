import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import { parseJson, stringifyJson } from '@heddle/json'
import { type Outgoing, OutgoingError } from '@heddle/outgoing'
import type { ModelProvider, ProviderOutcome } from './model-providers.ts'

export interface ProviderRequest {
  provider: ModelProvider
  /** Path below the provider's base URL, with a leading slash. */
  path: string
  body: JsonObject
  maxResponseBytes: number
  timeoutMs: number
  /** Aborts the request, when the client disconnects. */
  signal: AbortSignal
}

/** Sends one request to a provider, without retries. Numbers of the response keep their written form. */
export type CallProvider = (request: ProviderRequest) => Promise<ProviderOutcome>

export function createProviderClient(outgoing: Outgoing): CallProvider {
  return async ({ provider, path, body, maxResponseBytes, timeoutMs, signal }) => {
    try {
      const { status, bytes } = await outgoing.send({
        url: provider.baseUrl + path,
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        ...(provider.apiKey !== undefined && { secrets: { authorization: `Bearer ${provider.apiKey}` } }),
        body: stringifyJson(body),
        maxResponseBytes,
        timeoutMs,
        signal,
      })
      return toOutcome(provider, status, readObject(bytes))
    } catch (error) {
      if (signal.aborted)
        return { status: 'failed', reason: 'the client closed the connection before the response', source: 'network', isTransient: false }
      if (!(error instanceof OutgoingError)) throw error
      return {
        status: 'failed',
        reason: error.message,
        source: 'network',
        isTransient: error.kind === 'unreachable' || error.kind === 'timeout',
      }
    }
  }
}

function toOutcome({ name }: ModelProvider, status: number, body: JsonObject | undefined): ProviderOutcome {
  const message = body && messageOf(body)
  const isTransient = status === 429 || status >= 500
  if (message !== undefined) return { status: 'failed', reason: message, source: 'provider', isTransient }
  if (status >= 200 && status < 300 && body) return { status: 'succeeded', body }
  const reason = `provider "${name}" responded with status ${status}${body ? '' : ', without a JSON object'}`
  return { status: 'failed', reason, source: 'network', isTransient }
}

/** The provider's error message. */
function messageOf({ error }: JsonObject): string | undefined {
  if (typeof error === 'string' && error !== '') return error
  return isJsonObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined
}

function readObject(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value = parseJson(bytes, { maxKeys: 100_000 })
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
