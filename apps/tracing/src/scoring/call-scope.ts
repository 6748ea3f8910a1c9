import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import { type CallChange, completeChange } from '../resources/calls/write/call-change.ts'
import { addUsage, type UsageByModel } from './usage.ts'

/** What every call of one piece of work has in common. */
export interface Recording {
  traceId: string
  userId: string
  attributes: JsonObject
  clock: () => Micros
  /** Makes an id; the same for the same name when the work is repeated. */
  idOf: (name: string) => string
  /** The calls that have ended, children before their parents. They are written together. */
  calls: CallChange[]
}

/** A call that is being made, and what its children came to. */
export interface CallScope {
  id: string
  /** Unique among the calls of the recording. */
  name: string
  recording: Recording
  usage: UsageByModel
  /** Calls of the subtree that have ended, without this one. */
  counts: { success: number; error: number }
}

export interface CallSpec {
  /** Unique among the children of its parent. */
  name: string
  opRef: string
  inputs: JsonObject
  attributes?: JsonObject
}

/** Begins the topmost call of a recording. */
export function rootScope(recording: Recording, { id, name }: { id: string; name: string }): CallScope {
  return { id, name, recording, usage: {}, counts: { success: 0, error: 0 } }
}

/**
 * Makes a call below another one: its output is what the work returns, and what it throws is its exception, which is thrown on. Tokens and
 * outcomes of calls below it are counted in its summary.
 */
export async function recordCall<T>(parent: CallScope, spec: CallSpec, work: (scope: CallScope) => Promise<T>): Promise<T> {
  const { recording } = parent
  const name = `${parent.name}/${spec.name}`
  const scope = rootScope(recording, { id: recording.idOf(name), name })
  const started_at = recording.clock()
  const finish = (outcome: { output?: unknown; exception?: string }) => {
    scope.counts[outcome.exception === undefined ? 'success' : 'error']++
    recording.calls.push(
      completeChange(
        scope.id,
        {
          trace_id: recording.traceId,
          parent_id: parent.id,
          op_name: spec.opRef,
          started_at,
          attributes: { ...recording.attributes, ...spec.attributes },
          inputs: spec.inputs,
          otel: null,
          wb_user_id: recording.userId,
        },
        { ended_at: recording.clock(), output: outcome.output ?? null, exception: outcome.exception, summary: summaryOf(scope) },
      ),
    )
    addCounts(parent, scope)
  }
  try {
    const output = await work(scope)
    finish({ output })
    return output
  } catch (error) {
    finish({ exception: error instanceof Error ? `${error.name}: ${error.message}` : String(error) })
    throw error
  }
}

/** The summary of a call: tokens by model and outcomes, its own and those of the calls below it. */
export function summaryOf({ usage, counts }: Pick<CallScope, 'usage' | 'counts'>): JsonObject {
  return { ...(Object.keys(usage).length > 0 && { usage }), status_counts: { ...counts } }
}

/** Counts what a call came to in the call above it. */
export function addCounts(parent: CallScope, { usage, counts }: Pick<CallScope, 'usage' | 'counts'>): void {
  addUsage(parent.usage, usage)
  parent.counts.success += counts.success
  parent.counts.error += counts.error
}

/** What a stored summary says, for work that was done before. */
export function readSummary(summary: unknown): Pick<CallScope, 'usage' | 'counts'> {
  const { usage, status_counts: counts } = isJsonObject(summary) ? summary : {}
  const countOf = (name: string) => (isJsonObject(counts) ? Number(counts[name] ?? 0) : 0)
  return { usage: isJsonObject(usage) ? (usage as UsageByModel) : {}, counts: { success: countOf('success'), error: countOf('error') } }
}
