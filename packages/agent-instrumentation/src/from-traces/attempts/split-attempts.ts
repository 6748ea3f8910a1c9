import type { Call } from '@heddle/core-api/types'
import { trajectoryAttribute } from '@heddle/core-api/attributes'
import { attributeOf } from './call-attribute.ts'
import { valueAt } from '@heddle/core-api/internal'

/** The calls of one attempt at a task, ordered by start. */
export interface AttemptCalls {
  /** Id of the trajectory if one was recorded, else of the first call. */
  id: string
  root: Call
  calls: Call[]
}

/**
 * The attempts in the calls of some traces. An attempt is all calls that name the same trajectory; else a selected call with its descendants
 * (`chosen`); else a row of an evaluation; else a whole trace. A call belongs to the nearest of these above it.
 */
export function splitAttempts(calls: readonly Call[], chosen: ReadonlySet<string> | undefined): AttemptCalls[] {
  const ownerOf = createOwners(calls, chosen)
  const attempts = new Map<string, AttemptCalls>()
  for (const call of calls) {
    const owner = ownerOf(call) ?? (chosen ? undefined : { key: `trace ${call.trace_id}`, id: call.trace_id })
    if (!owner) continue
    const attempt = attempts.get(owner.key)
    if (attempt) attempt.calls.push(call)
    else attempts.set(owner.key, { id: owner.id, root: call, calls: [call] })
  }
  const split = new Set([...attempts].filter(([key]) => !isWholeTrace(key)).map(([, { root }]) => root.trace_id))
  return (
    [...attempts.entries()]
      // The rest of a trace around its attempts, such as the root of an evaluation, is not an attempt.
      .filter(([key, { root }]) => !isWholeTrace(key) || !split.has(root.trace_id))
      .map(([, attempt]) => ({ ...attempt, root: rootOf(attempt) }))
      .filter(({ root }) => !isScore(root))
  )
}

/** A scorer that ran on the server has its own trace, which is not an attempt. */
function isScore({ attributes }: Call): boolean {
  return valueAt(attributes, 'weave.score') === 'true'
}

/** The first call that is not below another call of the attempt. Calls that start at the same time are in any order. */
function rootOf({ calls, root }: AttemptCalls): Call {
  const ids = new Set(calls.map(({ id }) => id))
  return calls.find(({ parent_id: parent }) => !parent || !ids.has(parent)) ?? root
}

interface Owner {
  key: string
  id: string
}

/** Finds the attempt that a call belongs to. Each call is visited once, however long the chains of parents are; a call in a cycle belongs to none. */
function createOwners(calls: readonly Call[], chosen: ReadonlySet<string> | undefined): (call: Call) => Owner | undefined {
  const byId = new Map(calls.map((call) => [call.id, call]))
  const known = new Map<string, Owner | undefined>()
  return (call) => {
    const passed: string[] = []
    let owner: Owner | undefined
    for (let at: Call | undefined = call; at; at = at.parent_id ? byId.get(at.parent_id) : undefined) {
      owner = known.get(at.id) ?? ownOwner(at, chosen)
      if (owner || known.has(at.id)) break
      known.set(at.id, undefined)
      passed.push(at.id)
    }
    for (const id of passed) known.set(id, owner)
    return owner
  }
}

/** The attempt that begins with a call. */
function ownOwner(call: Call, chosen: ReadonlySet<string> | undefined): Owner | undefined {
  const trajectoryId = attributeOf(call, trajectoryAttribute.trajectoryId)
  if (typeof trajectoryId === 'string' && trajectoryId !== '') return { key: `trajectory ${trajectoryId}`, id: trajectoryId }
  return (chosen ? chosen.has(call.id) : isPrediction(call)) ? { key: `call ${call.id}`, id: call.id } : undefined
}

const isWholeTrace = (key: string) => key.startsWith('trace ')

/** A row of an evaluation: the call of the model and its scores. */
export function isPrediction({ op_name }: Pick<Call, 'op_name'>): boolean {
  return op_name.includes('Evaluation.predict_and_score')
}
