import type { JsonObject } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import { runInSlices } from '@heddle/service-kit'
import { completeSteps, startSteps, type CallChange, type CallStart } from '../../records/calls/write/call-change.ts'
import type { WriteContext } from '../../records/calls/write/call-input.ts'

/** A call of an evaluation to write. */
export interface NewCall {
  id: string
  trace_id: string
  /** Null for the root of a trace. */
  parent_id: string | null
  op_name: string
  at: Micros
  /** End of a call that has ended. Default: it ends when it starts. */
  endedAt?: Micros
  userId: string
  /** Attributes under `weave`; null for no attributes. */
  marks: JsonObject | null
  inputs: JsonObject
}

/** Changes that write calls of evaluations, with credentials in their inputs and attributes hidden. */
export interface NewCalls {
  started(call: NewCall): Promise<CallChange>
  /** A call that has ended. */
  ended(call: NewCall, output: unknown): Promise<CallChange>
}

export function createNewCalls(mask: WriteContext['mask']): NewCalls {
  const startOf = ({ trace_id, parent_id, op_name, at, userId, marks, inputs }: NewCall): CallStart => ({
    trace_id,
    parent_id,
    op_name,
    started_at: at,
    attributes: marks === null ? {} : mask({ weave: marks }),
    inputs: mask(inputs),
    otel: null,
    wb_user_id: userId,
  })
  return {
    started: (call) => runInSlices(startSteps(call.id, startOf(call))),
    ended: (call, output) => runInSlices(completeSteps(call.id, startOf(call), { ended_at: call.endedAt ?? call.at, output, summary: {} })),
  }
}
