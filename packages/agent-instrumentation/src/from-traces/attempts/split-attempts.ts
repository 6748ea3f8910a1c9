import type { Call } from '@heddle/core-api'
import { trajectoryAttribute } from '@heddle/core-api/attributes'
import { attributeOf } from './call-attribute.ts'
import { valueAt } from './values.ts'

/** The calls of one attempt at a task, in order of their start. */
export interface AttemptCalls {
  /** Of the trajectory where one was recorded, else of the first call. */
  id: string
  root: Call
  calls: Call[]
}

/** Longer chains of parents are taken for a loop. */
const maxDepth = 1_000

/**
 * The attempts in the calls of some traces. An attempt is what names the same trajectory; else a call that was asked for with all below it (`chosen`); else
 * a row of an evaluation; else a whole trace. A call belongs to the nearest of these above it.
 */
export function splitAttempts(calls: readonly Call[], chosen: ReadonlySet<string> | undefined): AttemptCalls[] {
  const byId = new Map(calls.map((call) => [call.id, call]))
  const attempts = new Map<string, AttemptCalls>()
  for (const call of calls) {
    const owner = ownerOf(call, byId, chosen) ?? (chosen ? undefined : { key: `trace ${call.trace_id}`, id: call.trace_id })
    if (!owner) continue
    const attempt = attempts.get(owner.key)
    if (attempt) attempt.calls.push(call)
    else attempts.set(owner.key, { id: owner.id, root: call, calls: [call] })
  }
  return [...attempts.entries()]
    .filter(([key, one]) => !isRest(key, one, attempts))
    .map(([, attempt]) => ({ ...attempt, root: rootOf(attempt) }))
    .filter(({ root }) => !isScore(root))
}

/** What a scorer did on the server has a trace of its own, and is not an attempt. */
function isScore({ attributes }: Call): boolean {
  return valueAt(attributes, 'weave.score') === 'true'
}

/** The first call that is below no other of the attempt. Calls that start at once come in any order. */
function rootOf({ calls, root }: AttemptCalls): Call {
  const ids = new Set(calls.map(({ id }) => id))
  return calls.find(({ parent_id: parent }) => !parent || !ids.has(parent)) ?? root
}

interface Owner {
  key: string
  id: string
}

function ownerOf(call: Call, byId: ReadonlyMap<string, Call>, chosen: ReadonlySet<string> | undefined): Owner | undefined {
  let at: Call | undefined = call
  for (let depth = 0; at && depth < maxDepth; depth++) {
    const trajectoryId = attributeOf(at, trajectoryAttribute.trajectoryId)
    if (typeof trajectoryId === 'string' && trajectoryId !== '') return { key: `trajectory ${trajectoryId}`, id: trajectoryId }
    if (chosen ? chosen.has(at.id) : isPrediction(at)) return { key: `call ${at.id}`, id: at.id }
    at = at.parent_id ? byId.get(at.parent_id) : undefined
  }
  return undefined
}

/** What is left of a trace around its attempts, such as the root of an evaluation, does not become an attempt. */
function isRest(key: string, { root }: AttemptCalls, attempts: ReadonlyMap<string, AttemptCalls>): boolean {
  return key.startsWith('trace ') && [...attempts].some(([other, { calls }]) => other !== key && calls[0]?.trace_id === root.trace_id)
}

/** A row of an evaluation: the call of the model and its scores. */
export function isPrediction({ op_name }: Pick<Call, 'op_name'>): boolean {
  return op_name.includes('Evaluation.predict_and_score')
}
