import type { Call } from '@heddle/core-api/types'
import { createHistories, maxHistories, policyVersions } from '@heddle/core-api/histories'
import type { RecordedTrajectory } from '../../trajectory/recorded.ts'
import { readModelCall } from './read-model-call.ts'
import type { AttemptCalls } from './split-attempts.ts'

/** An attempt in the format of training, without its reward, with the sizes that are known. */
export interface TracedTrajectory {
  trajectory: RecordedTrajectory
  /** Tokens of the longest conversation, as far as they were counted. */
  longest: number
  /** Tokens of all conversations. */
  tokens: number
}

export type Unusable = 'not ended' | 'failed' | 'no model call' | 'no choice of the policy' | 'too many conversations'

export interface ToTrajectoryOptions {
  /** Whether a model is being trained. */
  isPolicy: (model: string | undefined) => boolean
  keepFailed: boolean
}

/** The conversations of an attempt from its model calls: what repeats an earlier conversation continues it, anything else begins a further history. */
export function toTrajectory(attempt: AttemptCalls, { isPolicy, keepFailed }: ToTrajectoryOptions): TracedTrajectory | Unusable {
  const { root } = attempt
  if (!root.ended_at) return 'not ended'
  if (root.exception && !keepFailed) return 'failed'
  const modelCalls = innermost(attempt.calls).flatMap((call) => readModelCall(call) ?? [])
  if (modelCalls.length === 0) return 'no model call'
  const ofPolicy = modelCalls.filter(({ model, isComplete }) => isComplete && isPolicy(model))
  if (ofPolicy.length === 0) return 'no choice of the policy'
  const histories = createHistories()
  for (const { callId, isComplete, ...call } of modelCalls) {
    histories.add({
      ...call,
      choices: call.choices.map((choice) => ({ ...choice, span_id: callId })),
      trainable: isComplete && isPolicy(call.model),
    })
    // Each call is compared with every conversation, so reading stops beyond the most that are allowed.
    if (histories.size > maxHistories + 1) return 'too many conversations'
  }
  const [main, ...additional] = histories.list()
  if (!main) return 'no model call'
  const tokens = modelCalls.map((call) => call.tokens)
  return {
    trajectory: {
      ...main,
      additional_histories: additional,
      reward: 0,
      ...policyVersions(ofPolicy.map(({ policyVersion }) => policyVersion)),
      metrics: {},
      metadata: { trajectory_id: attempt.id, trace_id: root.trace_id, root_span_id: root.id },
      logs: [],
      start_time: root.started_at,
    },
    longest: Math.max(...tokens),
    tokens: tokens.reduce((sum, one) => sum + one, 0),
  }
}

/** A client library that wraps another records one completion twice: the inner call is closer to the actual request. */
function innermost(calls: readonly Call[]): Call[] {
  const byId = new Map(calls.map((call) => [call.id, call]))
  const around = new Set<string>()
  for (const call of calls) {
    if (!readModelCall(call)) continue
    let at = call.parent_id
    while (at && !around.has(at)) {
      around.add(at)
      at = byId.get(at)?.parent_id ?? null
    }
  }
  return calls.filter(({ id }) => !around.has(id)).toSorted((a, b) => String(a.ended_at).localeCompare(String(b.ended_at)))
}
