import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import { parseJson, stringifyJson } from '@heddle/json'
import { type Outgoing, OutgoingError, type OutgoingRequest } from '@heddle/outgoing'
import type { FailedOutcome, ModelProvider, ProviderOutcome } from './model-providers.ts'

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
  return async (request) => {
    const { provider, signal } = request
    try {
      const { status, bytes } = await outgoing.send(toOutgoingRequest(request, 'application/json'))
      return toOutcome(provider, status, readObject(bytes))
    } catch (error) {
      return toFailure(error, signal)
    }
  }
}

/** The request as it is sent, with the key of its provider. */
export function toOutgoingRequest({ provider, path, body, ...limits }: ProviderRequest, accept: string): OutgoingRequest {
  return {
    ...limits,
    url: provider.baseUrl + path,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    ...(provider.apiKey !== undefined && { secrets: { authorization: `Bearer ${provider.apiKey}` } }),
    body: stringifyJson(body),
  }
}

/** Why a provider could not be queried, or its response could not be read. @throws an error that is neither the provider's nor the caller's */
export function toFailure(error: unknown, signal: AbortSignal): FailedOutcome {
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

export function toOutcome({ name }: ModelProvider, status: number, body: JsonObject | undefined): ProviderOutcome {
  const message = body && messageOf(body)
  const isTransient = status === 429 || status >= 500
  if (message !== undefined) return { status: 'failed', reason: message, source: 'provider', isTransient }
  if (status >= 200 && status < 300 && body) return { status: 'succeeded', body }
  const reason = `provider "${name}" responded with status ${status}${body ? '' : ', without a JSON object'}`
  return { status: 'failed', reason, source: 'network', isTransient }
}

/** The provider's error message. */
export function messageOf({ error }: JsonObject): string | undefined {
  if (typeof error === 'string' && error !== '') return error
  return isJsonObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined
}

/** Undefined for anything but a JSON object. */
export function readObject(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value = parseJson(bytes, { maxKeys: 100_000 })
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
