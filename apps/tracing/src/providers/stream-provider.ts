import { buffer } from 'node:stream/consumers'
import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import { type Outgoing, readEvents } from '@heddle/outgoing'
import { messageOf, type ProviderRequest, readObject, toFailure, toOutcome, toOutgoingRequest } from './call-provider.ts'
import { createDeltaMask } from './mask-deltas.ts'
import type { FailedOutcome, ProviderOutcome } from './model-providers.ts'

/** A stream that did not begin, or that ended before its end. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  readonly isTransient: boolean

  constructor({ reason, isTransient }: Pick<FailedOutcome, 'reason' | 'isTransient'>) {
    super(reason)
    this.isTransient = isTransient
  }
}

/**
 * Requests a streamed chat completion from a provider, without retries. Yields its chunks as they arrive, and reads no faster than they are consumed;
 * leaving the loop closes the connection. Numbers keep their written form.
 * @throws ProviderFailure
 */
export type StreamProvider = (request: ProviderRequest) => AsyncGenerator<JsonObject, void>

export function createProviderStreams(outgoing: Outgoing): StreamProvider {
  return async function* stream(request) {
    const { provider, signal } = request
    try {
      const { status, headers, content, secrets } = await outgoing.open(toOutgoingRequest(request, 'text/event-stream, application/json'))
      if (status < 200 || status >= 300 || !String(headers['content-type']).startsWith('text/event-stream')) {
        yield toChunk(bodyOf(toOutcome(provider, status, readObject(await buffer(content)))))
        return
      }
      const deltas = createDeltaMask(secrets)
      for await (const data of readEvents(content)) {
        if (data === '[DONE]') break
        yield deltas.chunk(readChunk(data, provider.name))
      }
      const rest = deltas.rest()
      if (rest) yield rest
    } catch (error) {
      if (error instanceof ProviderFailure) throw error
      throw new ProviderFailure(toFailure(error, signal))
    }
  }
}

/** @throws ProviderFailure for a failed outcome */
export function bodyOf(outcome: ProviderOutcome): JsonObject {
  if (outcome.status === 'failed') throw new ProviderFailure(outcome)
  return outcome.body
}

/** A complete completion, as the only chunk of a stream. */
export function toChunk({ choices, ...others }: JsonObject): JsonObject {
  const parts = objectsOf(choices).map(({ message, ...choice }) => ({
    ...choice,
    delta: isJsonObject(message) ? withIndexes(message) : {},
  }))
  return { ...others, object: 'chat.completion.chunk', choices: parts }
}

/** Parts of tool calls in a chunk have the index of their call, which calls of a whole message leave out. */
function withIndexes({ tool_calls, ...message }: JsonObject): JsonObject {
  if (!Array.isArray(tool_calls)) return message
  return { ...message, tool_calls: objectsOf(tool_calls).map((call, index) => ({ index, ...call })) }
}

const objectsOf = (list: unknown): JsonObject[] => (Array.isArray(list) ? list.filter(isJsonObject) : [])

function readChunk(data: string, name: string): JsonObject {
  const chunk = readObject(Buffer.from(data))
  if (!chunk) throw new ProviderFailure({ reason: `provider "${name}" sent an event that is not a JSON object`, isTransient: false })
  const reason = messageOf(chunk)
  if (reason !== undefined) throw new ProviderFailure({ reason, isTransient: false })
  return chunk
}
