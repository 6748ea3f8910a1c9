import { ApiError, type JsonObject } from '@heddle/core-api'
import { badRequest } from '@heddle/core-api/internal'
import type { ProvidedModel } from '../../providers/model-providers.ts'
import { bodyOf, ProviderFailure, type StreamProvider, toChunk } from '../../providers/stream-provider.ts'
import { assembleCompletion } from './assemble-completion.ts'
import { completionLimits } from './completion-limits.ts'

/** A streamed completion that is under way. */
export interface StreamedCompletion {
  /** Id of the call that it will be recorded as. Null: it is not recorded. */
  callId: string | null
  chunks: AsyncIterable<JsonObject>
  /** The client has left. */
  signal: AbortSignal
  /** Records the completion, or what there is of it; false when that failed. Called once, also when its reader leaves. */
  record(response: JsonObject, exception: string | undefined): Promise<boolean>
  /** Called once, last. */
  onEnd(): void
}

const leftReason = 'the client closed the connection before the response was whole'
const retryAfterSeconds = 5

/**
 * The lines of a streamed completion: the id of its call, chunks, and where it fails after the first one `error`. A last `_meta` takes the id back
 * when the call could not be recorded.
 * @throws ApiError for a failure before the first chunk
 */
export async function* linesOf({ callId, chunks, signal, record, onEnd }: StreamedCompletion): AsyncGenerator<JsonObject, void> {
  const answer = assembleCompletion()
  let hasBegun = false
  let isRecorded = true
  let failure: ProviderFailure | undefined
  // Holds where the reader leaves between two lines.
  let exception: string | undefined = leftReason
  try {
    for await (const chunk of chunks) {
      const isFirst = !hasBegun
      answer.add(chunk)
      hasBegun = true
      if (isFirst && callId !== null) yield metaLine(callId)
      yield chunk
    }
    exception = undefined
    if (!hasBegun) throw new ProviderFailure({ reason: 'the provider ended its response before the first chunk', isTransient: true })
  } catch (error) {
    exception = signal.aborted ? leftReason : error instanceof ProviderFailure ? error.message : 'internal server error'
    if (!(error instanceof ProviderFailure)) throw error
    failure = error
  } finally {
    const error = exception === undefined ? {} : { error: exception }
    isRecorded = await record(hasBegun ? { ...answer.response(), ...error } : error, exception)
    onEnd()
  }
  if (failure && !hasBegun) throw toApiError(failure, isRecorded ? callId : null)
  if (!isRecorded) yield metaLine(null)
  if (failure) yield { error: failure.message }
}

const metaLine = (weave_call_id: string | null) => ({ _meta: { weave_call_id } })

/** 503 for an error that a retry may resolve, else 400. */
function toApiError({ message, isTransient }: ProviderFailure, weave_call_id: string | null): ApiError {
  const extra = { weave_call_id }
  return isTransient ? new ApiError('unavailable', message, { retryAfterSeconds, extra }) : badRequest(message, extra)
}

interface Sending {
  projectId: string
  signal: AbortSignal
  streamProvider: StreamProvider
}

/** Chunks of a provider. Providers in this process return a complete response. */
export async function* chunksOf(
  { provider, model }: ProvidedModel,
  inputs: JsonObject,
  { projectId, signal, streamProvider }: Sending,
): AsyncGenerator<JsonObject, void> {
  if (!provider.complete) {
    const body = { stream_options: { include_usage: true }, ...inputs, model, stream: true }
    yield* streamProvider({ provider, path: '/chat/completions', body, signal, ...completionLimits })
    return
  }
  const { stream_options: _, ...requested } = inputs
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(completionLimits.timeoutMs)])
  yield toChunk(bodyOf(await provider.complete({ ...requested, model, stream: false }, { projectId, signal: inTime })))
}

/**
 * The lines once the first one has arrived. Leaving them runs `leave`, which also ends a wait for the next one. @throws the error that arrived
 * instead
 */
export async function begun(lines: AsyncGenerator<JsonObject, void>, leave: () => void): Promise<AsyncIterable<JsonObject>> {
  let first: IteratorResult<JsonObject, void> | undefined = await lines.next()
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        const ready = first
        first = undefined
        return ready ? Promise.resolve(ready) : lines.next()
      },
      return() {
        leave()
        return lines.return()
      },
    }),
  }
}
