import { type CallKind, callKindOf, displayNameOf } from '@heddle/core-api'
import type { Call } from '@heddle/core-api/types'
import { inputText } from '../texts-of-call.ts'

/** Facts that identify a call to users. */
export interface AboutCall {
  kind: CallKind
  name: string
  /** The start of its input; empty without one. */
  input: string
}

export function toAboutCall(call: Pick<Call, 'op_name' | 'display_name' | 'attributes' | 'inputs'>): AboutCall {
  return { kind: callKindOf(call), name: displayNameOf(call), input: inputText(call) }
}
