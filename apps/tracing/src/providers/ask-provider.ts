import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import { parseJson, stringifyJson } from '@heddle/json'
import { type Outgoing, OutgoingError } from '@heddle/outgoing'
import type { ModelProvider } from './model-providers.ts'

export interface ProviderQuestion {
  provider: ModelProvider
  /** Path below the address of the provider, with a slash at its beginning. */
  path: string
  body: JsonObject
  maxResponseBytes: number
  timeoutMs: number
  /** Aborts when the client leaves; the provider is then asked no longer. */
  signal: AbortSignal
}

/** `failed`: `reason` is what the provider said where it said something, and `source` tells so; a transient failure may not come again. */
export type ProviderAnswer =
  | { status: 'answered'; answer: JsonObject }
  | { status: 'failed'; reason: string; source: 'provider' | 'network'; isTransient: boolean }

/** Asks a provider once. Numbers of the answer keep their form. */
export type AskProvider = (question: ProviderQuestion) => Promise<ProviderAnswer>

export function createAskProvider(outgoing: Outgoing): AskProvider {
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
      return toAnswer(provider, status, readObject(bytes))
    } catch (error) {
      if (signal.aborted)
        return { status: 'failed', reason: 'the client closed the connection before the answer', source: 'network', isTransient: false }
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

function toAnswer({ name }: ModelProvider, status: number, answer: JsonObject | undefined): ProviderAnswer {
  const told = answer && messageOf(answer)
  const isTransient = status === 429 || status >= 500
  if (told !== undefined) return { status: 'failed', reason: told, source: 'provider', isTransient }
  if (status >= 200 && status < 300 && answer) return { status: 'answered', answer }
  const reason = `provider "${name}" answered with status ${status}${answer ? '' : ' and no JSON object'}`
  return { status: 'failed', reason, source: 'network', isTransient }
}

/** What went wrong, in the words of the provider. */
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
