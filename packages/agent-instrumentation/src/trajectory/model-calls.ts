import type { JsonObject } from '@heddle/core-api'
import { isHeddleUrl, type CaptureSettings } from '../capture/capture-settings.ts'
import type { RecordedExchange, Recorder } from '../capture/recording-fetch.ts'
import type { History } from '../histories/chat.ts'
import { createHistories } from '../histories/histories.ts'
import { endModelCall, startModelCall } from '../spans/model-call-span.ts'
import type { TrajectorySpan } from '../spans/trajectory-span.ts'

/** What a trajectory knows of its model calls. */
export interface ModelCalls {
  recorder: Recorder
  histories(): History[]
  /** Training steps of the weights that responded, in order. */
  versions: readonly number[]
  /** Takes no further calls. Resolves once those under way are recorded, or the time is over: what ends later is not recorded. */
  close(timeoutMs: number): Promise<void>
}

/** What happened, by the name of a metric, with words for the log where there are any. */
export type Counted = 'failed_model_calls' | 'incomplete_responses' | 'unrecorded_model_calls'

export interface ModelCallsOptions {
  trajectoryId: string
  span: TrajectorySpan
  settings: CaptureSettings
  onCounted: (name: Counted, words?: string) => void
}

export function recordModelCalls({ trajectoryId, span, settings, onCounted }: ModelCallsOptions): ModelCalls {
  const histories = createHistories()
  const versions: number[] = []
  const underway = createUnderway()
  let choiceCount = 0
  let state: 'open' | 'closing' | 'closed' = 'open'

  /** An endpoint may name in its response what the request's name stands for. */
  function isOfPolicy({ model, request }: RecordedExchange): boolean {
    return settings.isPolicy(model) || (typeof request['model'] === 'string' && settings.isPolicy(request['model']))
  }

  function add(exchange: RecordedExchange) {
    choiceCount += exchange.choices.length
    if (exchange.policyVersion !== undefined) versions.push(exchange.policyVersion)
    if (!exchange.isComplete) onCounted('incomplete_responses')
    histories.add({ ...exchange, trainable: exchange.isComplete && isOfPolicy(exchange) })
  }

  const recorder: Recorder = {
    prepare: (request) => whatIsAdded(request, { trajectoryId, settings }),
    begin({ body }) {
      const call = span.run(() => startModelCall(body['model']))
      const spanId = span.ids && call.spanContext().spanId
      const end = state === 'open' ? underway.begin() : () => false
      return (outcome) => {
        const choiceIndex = choiceCount
        if (end() && state !== 'closed') {
          if ('error' in outcome) onCounted('failed_model_calls')
          else add(spanId === undefined ? outcome : withSpanId(outcome, spanId))
        }
        endModelCall(call, outcome, { choiceIndex, withContent: settings.captureContent })
      }
    },
    skipped: (reason) => onCounted('unrecorded_model_calls', `not recorded: ${reason}`),
  }

  return {
    recorder,
    histories: () => histories.list(),
    versions,
    async close(timeoutMs) {
      if (state === 'open') state = 'closing'
      await underway.settled(timeoutMs)
      state = 'closed'
    },
  }
}

interface Added {
  trajectoryId: string
  settings: CaptureSettings
}

/** Log-probabilities where the program did not decide; token ids and the trajectory's id for the training service alone. */
function whatIsAdded(
  { url, body }: Parameters<Recorder['prepare']>[0],
  { trajectoryId, settings }: Added,
): ReturnType<Recorder['prepare']> {
  const { model, logprobs = null, return_token_ids: tokenIds = null } = body
  const isHeddle = isHeddleUrl(settings, url)
  const asksLogprobs = settings.requestLogprobs && logprobs === null && typeof model === 'string' && settings.isPolicy(model)
  const added: JsonObject = { ...(asksLogprobs && { logprobs: true }), ...(isHeddle && tokenIds === null && { return_token_ids: true }) }
  return {
    ...(Object.keys(added).length > 0 && { body: added }),
    ...(isHeddle && { headers: { [settings.trajectoryHeader]: trajectoryId } }),
  }
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
