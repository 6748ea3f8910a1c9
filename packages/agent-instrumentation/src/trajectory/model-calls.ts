import type { Span } from '@opentelemetry/api'
import type { JsonObject } from '@heddle/core-api'
import { createHistories, type History } from '@heddle/core-api/histories'
import { isHeddleUrl, type CaptureSettings } from '../capture/capture-settings.ts'
import type { ModelRequest } from '../capture/model-request.ts'
import type { Outcome, RecordedExchange, Recorder } from '../capture/recorder.ts'
import { createStoredResponses } from '../capture/responses/stored-responses.ts'
import { endModelCall, startModelCall } from './model-call-span.ts'
import type { TrajectorySpan } from '../spans/trajectory-span.ts'
import { recordable } from '../capture/model-api.ts'
import type { CounterName } from './notes.ts'
import { createReportedCalls } from './reported-calls.ts'
import type { PartCall } from './trajectory-part.ts'
import { createUnreadOutcomes } from './unread-outcomes.ts'

/** The model calls of a trajectory. */
export interface ModelCalls {
  recorder: Recorder
  histories(): History[]
  /** Training steps of the weights that responded, in the order in which their responses ended; complete once `histories` was called. */
  versions: readonly number[]
  /** Adds a call that was recorded in another process. */
  join(call: PartCall): void
  /** Takes no further calls. Resolves once those under way are recorded, or after 5 seconds: what ends later is not recorded. */
  close(): Promise<void>
}

/** How long `close` waits for model calls under way. */
const closeTimeoutMs = 5_000

export interface ModelCallsOptions {
  span: TrajectorySpan
  settings: CaptureSettings
  onCounted: (name: CounterName, words?: string) => void
  /** Called with each call as it is recorded, where it is handed on. */
  onCall?: (call: PartCall) => void
}

/** How a call left, before its outcome is read. */
interface Ending {
  spanId: string | undefined
  isTaken: boolean
  /** By the clock of `performance.now()`. */
  endedAtMs: number
}

export function recordModelCalls({ span, settings, onCounted, onCall }: ModelCallsOptions): ModelCalls {
  const histories = createHistories()
  const versions: number[] = []
  const underway = createUnderway()
  const reported = createReportedCalls()
  const unread = createUnreadOutcomes()
  let choiceCount = 0
  let state: 'open' | 'closing' | 'closed' = 'open'

  /** The response may name the model that an alias in the request resolves to. */
  function isOfPolicy({ model, request }: RecordedExchange): boolean {
    return settings.isPolicy(model) || (typeof request['model'] === 'string' && settings.isPolicy(request['model']))
  }

  function join(call: PartCall) {
    choiceCount += call.choices.length
    if (call.policyVersion !== undefined) versions.push(call.policyVersion)
    histories.add(call)
    onCall?.(call)
  }

  function add(exchange: RecordedExchange) {
    const { messages, tools, choices, policyVersion, isComplete } = exchange
    if (!isComplete) onCounted('incomplete_responses')
    join({ messages, tools, choices, policyVersion, trainable: isComplete && isOfPolicy(exchange) })
  }

  const skipped = (reason: string) => onCounted('unrecorded_model_calls', `not recorded: ${reason}`)

  function take(outcome: Outcome, spanId: string | undefined) {
    if ('error' in outcome) onCounted('failed_model_calls')
    else if ('unrecordable' in outcome) skipped(outcome.unrecordable)
    else if (!('recordedElsewhere' in outcome)) add(spanId === undefined ? outcome : withSpanId(outcome, spanId))
  }

  function end(call: Span, outcome: Outcome, { spanId, isTaken, endedAtMs }: Ending) {
    const choiceIndex = choiceCount
    if (isTaken) take(outcome, spanId)
    endModelCall(call, outcome, { choiceIndex, withContent: settings.captureContent, endedAtMs })
  }

  function begin(call: Span): (outcome: Outcome | (() => Outcome)) => void {
    const spanId = span.ids && call.spanContext().spanId
    const leave = state === 'open' ? underway.begin() : () => false
    return (outcome) => {
      const ending: Ending = { spanId, isTaken: leave() && state !== 'closed', endedAtMs: performance.now() }
      const read = () => {
        const problem = recordable(() => end(call, readOutcome(outcome), ending))
        if (problem) skipped(problem.unrecordable)
      }
      if (typeof outcome === 'function') return unread.add(read)
      unread.readAll()
      read()
    }
  }

  const recorder: Recorder = {
    prepare: (request) => whatIsAdded(request, { settings, asksLogprobs: recorder.asksLogprobs }),
    asksLogprobs: (model) => settings.requestLogprobs && model !== undefined && settings.isPolicy(model),
    begin(model) {
      const endCall = begin(span.run(() => startModelCall(model, span.attributes)))
      return (ended) => {
        if (!reported.isUnderway()) return endCall(ended)
        const outcome = readOutcome(ended)
        reported.sawCall(outcome)
        endCall('unrecordable' in outcome ? { recordedElsewhere: true } : outcome)
      }
    },
    beginReported(model, parent) {
      const endCall = begin(startModelCall(model, span.attributes, parent))
      const endReported = reported.begin()
      return (outcome) => {
        const wasSeen = endReported(outcome)
        endCall(wasSeen ? { recordedElsewhere: true } : outcome)
        return !wasSeen
      }
    },
    skipped: (reason) => {
      if (!reported.isUnderway()) skipped(reason)
    },
    stored: createStoredResponses(),
  }

  return {
    recorder,
    histories() {
      unread.readAll()
      return histories.list()
    },
    versions,
    join(call) {
      unread.readAll()
      join(call)
    },
    async close() {
      if (state === 'open') state = 'closing'
      await underway.settled(closeTimeoutMs)
      unread.readAll()
      state = 'closed'
    },
  }
}

function readOutcome(outcome: Outcome | (() => Outcome)): Outcome {
  return typeof outcome === 'function' ? outcome() : outcome
}

interface AdditionOptions {
  settings: CaptureSettings
  asksLogprobs: Recorder['asksLogprobs']
}

/** Log-probabilities where the program did not decide; token ids from the training service alone. */
function whatIsAdded({ api, url, body }: ModelRequest, { settings, asksLogprobs }: AdditionOptions): ReturnType<Recorder['prepare']> {
  const { model, return_token_ids: tokenIds = null } = body
  const isHeddle = isHeddleUrl(settings, url)
  const logprobs = asksLogprobs(typeof model === 'string' ? model : undefined) && api.asksLogprobs(body)
  const added: JsonObject = { ...logprobs, ...(isHeddle && tokenIds === null && { return_token_ids: true }) }
  return Object.keys(added).length > 0 ? { body: added } : {}
}

function withSpanId(exchange: RecordedExchange, spanId: string): RecordedExchange {
  return { ...exchange, choices: exchange.choices.map((choice) => ({ ...choice, span_id: spanId })) }
}

/** Calls that have begun and not ended. */
function createUnderway() {
  const calls = new Set<Promise<void>>()
  return {
    /** Returns what ends the call: true the first time. */
    begin(): () => boolean {
      let resolve: () => void = () => undefined
      const call = new Promise<void>((done) => (resolve = done))
      calls.add(call)
      return () => {
        resolve()
        return calls.delete(call)
      }
    },
    async settled(timeoutMs: number): Promise<void> {
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)))
      await Promise.race([Promise.all(calls), timeout])
      clearTimeout(timer)
    },
  }
}
