import type { Context } from '@opentelemetry/api'
import type { JsonObject } from '@heddle/core-api'
import type { Exchange } from '@heddle/core-api/histories'
import type { ModelRequest } from './model-request.ts'
import type { StoredResponses } from './responses/stored-responses.ts'

/** A model call and its origin. */
export interface RecordedExchange extends Omit<Exchange, 'trainable'> {
  /** As the response names it, else as the request does. */
  model: string | undefined
  /** Training step of the weights, if the endpoint reports it. */
  policyVersion: number | undefined
  /** False where the response was left before its end. */
  isComplete: boolean
  /** Ids of the response; empty if it has none. */
  responseIds: readonly string[]
  request: JsonObject
}

/** How a model call ended: as an exchange, with an error, or so that it cannot be recorded or was recorded elsewhere. */
export type Outcome = RecordedExchange | { error: unknown } | { unrecordable: string } | { recordedElsewhere: true }

/** What receives the model calls of one trajectory. */
export interface Recorder {
  /** Changes that the request needs in addition to the program's settings. Called before it is sent. */
  prepare(request: ModelRequest): { body?: JsonObject }
  /** Whether to request log-probabilities in calls of this model. */
  asksLogprobs(model: string | undefined): boolean
  /**
   * Called once per model call. The returned function takes the outcome, or a function that reads it: later, unless it is needed earlier, so that the
   * program need not wait.
   */
  begin(model: unknown): (outcome: Outcome | (() => Outcome)) => void
  /**
   * Like `begin`, for a call that a framework reports separately from its request: it is recorded unless a source that observed the request has
   * recorded it. The returned function returns true if the call was recorded from this report.
   */
  beginReported(model: unknown, parent: Context): (outcome: Outcome) => boolean
  /** Counts a model call that cannot be recorded. */
  skipped(reason: string): void
  /** What requests of the trajectory may refer to. */
  stored: StoredResponses
}
