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

export function createForwardBackward(api: TinkerApi): ForwardBackward {
  let dialect: TinkerDialect = null
  let isOlder: boolean | null = null

  /** Servers of the older dialect have a route for log-probabilities alone, which a request without content does not fit. */
  async function findRoute(signal: AbortSignal): Promise<boolean> {
    const status = await api.post('forward', {}, { signal }).then(
      () => 200,
      (error: unknown) => (error instanceof TinkerRefusal && error.status < 500 ? error.status : Promise.reject(error as Error)),
    )
    return status !== 404 && status !== 405
  }

  async function postJson(request: ForwardBackwardRequest, signal: AbortSignal): Promise<Record<string, unknown>> {
    // Without numbers a server cannot recognize a repeated request, whose gradients would count twice.
    const options = { signal, isRepeatable: request.forwardOnly }
    const promised = await api.post(request.forwardOnly ? 'forward' : 'forward_backward', toForwardBackwardJson(request), options)
    dialect = 'json'
    return promised
  }

  async function promise(request: ForwardBackwardRequest, signal: AbortSignal): Promise<Record<string, unknown>> {
    if (dialect === 'json') return postJson(request, signal)
    isOlder ??= await findRoute(signal)
    const mayRefuse = isOlder && dialect === null
    try {
      const promised = await api.post('forward_backward', encodeForwardBackward(request), { signal, isRepeatable: !mayRefuse })
      dialect = 'protobuf'
      return promised
    } catch (error) {
      // SkyRL 0.3 does so with 500: it fails to write the body into its refusal.
      if (mayRefuse && error instanceof TinkerRefusal && [415, 422, 500].includes(error.status)) return postJson(request, signal)
      throw error
    }
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
