import type { Context } from '@opentelemetry/api'
import type { JsonObject } from '@heddle/core-api'
import type { Exchange } from '@heddle/core-api/histories'
import type { ModelRequest } from './model-request.ts'
import type { StoredResponses } from './responses/stored-responses.ts'

/** What a model call was, and where it came from. */
export interface RecordedExchange extends Omit<Exchange, 'trainable'> {
  /** As the response names it, else as the request does. */
  model: string | undefined
  /** Training step of the weights, where the endpoint says it. */
  policyVersion: number | undefined
  /** False where the response was left before its end. */
  isComplete: boolean
  /** What the response is named by; none where nothing names it. */
  responseIds: readonly string[]
  request: JsonObject
}

/** How a model call ended: as an exchange, with an error, or so that it cannot be recorded or was recorded elsewhere. */
export type Outcome = RecordedExchange | { error: unknown } | { unrecordable: string } | { recordedElsewhere: true }

/** What receives the model calls of one trajectory. */
export interface Recorder {
  /** What the request needs besides what the program set. Called before it is sent. */
  prepare(request: ModelRequest): { body?: JsonObject }
  /** Whether to ask for log-probabilities in calls of this model. */
  asksLogprobs(model: string | undefined): boolean
  /**
   * Called once for each model call. The returned function is called with how it ended, or with what reads that: later, where nothing asks for it
   * before, so that the program need not wait.
   */
  begin(model: unknown): (outcome: Outcome | (() => Outcome)) => void
  /**
   * The same for a call that a framework reports beside its way to the endpoint: it is recorded unless a source that saw it travel has done so.
   * The returned function tells whether it was left to this source.
   */
  beginReported(model: unknown, parent: Context): (outcome: Outcome) => boolean
  /** Counts a model call that cannot be recorded. */
  skipped(reason: string): void
  /** What requests of the trajectory may refer to. */
  stored: StoredResponses
}
