import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import { type CallChange, type CallStart, completeChange } from '../../records/calls/write/call-change.ts'
import { addUsage, type UsageByModel } from './model/usage.ts'

/** The shared properties of the calls of one job step, and the calls that have ended. */
export interface Recording {
  projectId: string
  traceId: string
  userId: string
  attributes: JsonObject
  clock: () => Micros
  /** Id of the call of a name; the same in every attempt. */
  idOf: (name: string) => string
  /** The calls that have ended, children before their parents. They are written together. */
  calls: CallChange[]
}

/** A call in progress, and the totals of the calls below it. */
export interface CallScope {
  id: string
  /** Unique among the calls of the recording. */
  name: string
  recording: Recording
  usage: UsageByModel
  /** Ended calls of the subtree; this one is added when it ends. */
  counts: { success: number; error: number }
}

export interface CallSpec {
  /** Unique among the children of its parent. */
  name: string
  opRef: string
  inputs: JsonObject
  attributes?: JsonObject
}

/** The scope of the topmost call of a recording. */
export function rootScope(recording: Recording, { id, name }: { id: string; name: string }): CallScope {
  return { id, name, recording, usage: {}, counts: { success: 0, error: 0 } }
}

/**
 * Records a call below `parent`, whose output is what `work` returns. An error of `work` becomes its exception, and is thrown again. Its tokens
 * and outcomes are added to those of the parent.
 */
export async function recordCall<T>(parent: CallScope, spec: CallSpec, work: (scope: CallScope) => Promise<T>): Promise<T> {
  const { recording } = parent
  const name = `${parent.name}/${spec.name}`
  const scope = rootScope(recording, { id: recording.idOf(name), name })
  const start = startOf(parent, spec)
  const end = (outcome: { output?: unknown; exception?: string }) => {
    scope.counts[outcome.exception === undefined ? 'success' : 'error']++
    const ended = { ...outcome, ended_at: recording.clock(), summary: summaryOf(scope) }
    recording.calls.push(completeChange(scope.id, start, ended))
    addCounts(parent, scope)
  }
  try {
    const output = await work(scope)
    end({ output })
    return output
  } catch (error) {
    end({ exception: error instanceof Error ? `${error.name}: ${error.message}` : String(error) })
    throw error
  }
}

function startOf({ id, recording }: CallScope, { opRef, inputs, attributes }: CallSpec): CallStart {
  return {
    trace_id: recording.traceId,
    parent_id: id,
    op_name: opRef,
    started_at: recording.clock(),
    attributes: { ...recording.attributes, ...attributes },
    inputs,
    otel: null,
    wb_user_id: recording.userId,
  }
}

/** The summary of a call: tokens by model and outcomes, its own and those of the calls below it. */
export function summaryOf({ usage, counts }: Pick<CallScope, 'usage' | 'counts'>): JsonObject {
  return { ...(Object.keys(usage).length > 0 && { usage }), status_counts: { ...counts } }
}

/** Adds tokens and outcomes of a call to those of the call above it. */
export function addCounts(parent: CallScope, { usage, counts }: Pick<CallScope, 'usage' | 'counts'>): void {
  addUsage(parent.usage, usage)
  parent.counts.success += counts.success
  parent.counts.error += counts.error
}

/** Tokens and outcomes in the summary of a stored call. */
export function readSummary(summary: unknown): Pick<CallScope, 'usage' | 'counts'> {
  const { usage, status_counts: counts } = isJsonObject(summary) ? summary : {}
  const countOf = (name: string) => (isJsonObject(counts) ? Number(counts[name] ?? 0) : 0)
  return { usage: isJsonObject(usage) ? (usage as UsageByModel) : {}, counts: { success: countOf('success'), error: countOf('error') } }
}
