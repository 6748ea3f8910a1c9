import { type Call, type CallKind, callKindOf, displayNameOf } from '@heddle/core-api'
import { toCell } from '../../components/to-text.ts'
import { isNothing } from '../calls/call-row.ts'

/** What a person knows a call by. */
export interface AboutCall {
  kind: CallKind
  name: string
  /** The start of its input; empty without one. */
  input: string
}

export function toAboutCall(call: Pick<Call, 'op_name' | 'display_name' | 'attributes' | 'inputs'>): AboutCall {
  return { kind: callKindOf(call), name: displayNameOf(call), input: isNothing(call.inputs) ? '' : toCell(inputOf(call.inputs), 60) }
}

/** A single input stands for itself, without its name. */
function inputOf(inputs: object): unknown {
  const [first, ...others] = Object.values(inputs) as unknown[]
  return others.length === 0 ? first : inputs
}
