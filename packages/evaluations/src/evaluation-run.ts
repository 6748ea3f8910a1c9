import { displayNameOf, parseRef, parseTimestamp } from '@heddle/core-api'

/** A run of an evaluation, as the command shows it. */
export interface EvaluationRun {
  id: string
  name: string
  /** Name and version of the model; null where the run names none. */
  model: string | null
  status: 'running' | 'completed' | 'failed'
  started_at: string
  /** Microseconds; null while it runs. */
  duration_us: number | null
  /** Null unless it failed. */
  exception: string | null
}

/** The part of a call that makes a run. */
export interface RunCall {
  id: string
  op_name: string
  display_name?: string | null
  started_at: string
  ended_at?: string | null
  exception?: string | null
  inputs: Record<string, unknown>
}

/** Columns of a call that make a run. */
export const runCallColumns: (keyof RunCall)[] = ['id', 'op_name', 'display_name', 'started_at', 'ended_at', 'exception', 'inputs']

/** Reads a root call as a run; its name is its display name, else that of the evaluation. */
export function toEvaluationRun(call: RunCall): EvaluationRun {
  const { id, started_at, ended_at, exception, inputs } = call
  const duration = ended_at ? (parseTimestamp(ended_at) ?? 0) - (parseTimestamp(started_at) ?? 0) : null
  return {
    id,
    name: call.display_name || nameOf(inputs['self'] ?? inputs['this'])?.name || displayNameOf(call),
    model: modelOf(inputs['model']),
    status: exception ? 'failed' : ended_at ? 'completed' : 'running',
    started_at,
    duration_us: duration,
    exception: exception || null,
  }
}

const digestLength = 8

function modelOf(value: unknown): string | null {
  const ref = nameOf(value)
  if (ref) return ref.digest === undefined ? ref.name : `${ref.name}:${ref.digest.slice(0, digestLength)}`
  return typeof value === 'string' && value !== '' ? value : null
}

/** The object that a reference names, or that an unpublished value describes. */
function nameOf(value: unknown): { name: string; digest?: string } | undefined {
  if (typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string') return { name: value.name }
  const ref = typeof value === 'string' ? parseRef(value) : undefined
  return ref && (ref.kind === 'object' || ref.kind === 'op') ? ref : undefined
}
