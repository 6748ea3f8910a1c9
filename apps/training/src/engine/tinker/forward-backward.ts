import { EngineError } from '../engine.ts'
import { readForwardBackwardJson, toForwardBackwardJson } from './json/messages.ts'
import { decodeForwardBackwardOutput, encodeForwardBackward, type ForwardBackwardRequest } from './protobuf/messages.ts'
import { type TinkerApi, TinkerRefusal, textField } from './tinker-api.ts'

/** How training requests are written. Null before the first one was answered. */
export type TinkerDialect = 'protobuf' | 'json' | null

/** Requests that compute gradients, or log-probabilities alone, in the dialect of the server: protobuf, unless it refuses the first of them. */
export interface ForwardBackward {
  /** Log-probabilities of the targets of each datum. @throws EngineError */
  send(request: ForwardBackwardRequest, signal: AbortSignal): Promise<Float32Array[]>
  dialect(): TinkerDialect
}

/** What servers answer that read JSON alone. */
const isRefusalOfProtobuf = (error: unknown) => error instanceof TinkerRefusal && (error.status === 415 || error.status === 422)

export function createForwardBackward(api: TinkerApi): ForwardBackward {
  let dialect: TinkerDialect = null

  async function promise(request: ForwardBackwardRequest, signal: AbortSignal): Promise<Record<string, unknown>> {
    if (dialect !== 'json') {
      try {
        const promised = await api.post('forward_backward', encodeForwardBackward(request), { signal })
        dialect = 'protobuf'
        return promised
      } catch (error) {
        if (dialect !== null || !isRefusalOfProtobuf(error)) throw error
      }
    }
    // Without numbers a server cannot tell a request that arrives again, whose gradients would count twice.
    const options = { signal, isRepeatable: request.forwardOnly }
    const promised = await api.post(request.forwardOnly ? 'forward' : 'forward_backward', toForwardBackwardJson(request), options)
    dialect = 'json'
    return promised
  }

  return {
    dialect: () => dialect,
    async send(request, signal) {
      const result = await api.result(textField(await promise(request, signal), 'request_id'), signal)
      const logProbabilities =
        result.kind === 'json' ? readForwardBackwardJson(result.value) : decodeForwardBackwardOutput(result.bytes).logProbabilities
      if (logProbabilities.length === request.data.length) return logProbabilities
      throw new EngineError(
        'unavailable',
        `the training server returned ${logProbabilities.length} results for ${request.data.length} sequences`,
      )
    },
  }
}
