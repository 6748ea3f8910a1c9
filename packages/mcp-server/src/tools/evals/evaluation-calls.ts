import { parseRef } from '@heddle/core-api'
import type { Call } from '@heddle/core-api/types'

export interface ListedRun {
  evaluation_call_id: string
  name: string
  model_ref: string | null
  started_at: string
  status: 'running' | 'completed' | 'failed'
}

type RunCall = Pick<Call, 'id' | 'op_name' | 'started_at' | 'inputs'> & Partial<Pick<Call, 'display_name' | 'ended_at' | 'exception'>>

/** A run has the name it was given, else that of its evaluation. */
export function toListedRun({ id, op_name, display_name, started_at, ended_at, exception, inputs }: RunCall): ListedRun {
  const evaluation = inputs['self'] ?? inputs['this']
  return {
    evaluation_call_id: id,
    name: display_name || (typeof evaluation === 'string' ? nameOfRef(evaluation) : op_name),
    model_ref: typeof inputs['model'] === 'string' ? inputs['model'] : null,
    started_at,
    status: exception ? 'failed' : ended_at ? 'completed' : 'running',
  }
}

function nameOfRef(text: string): string {
  const ref = parseRef(text)
  return ref && 'name' in ref ? ref.name : text
}
