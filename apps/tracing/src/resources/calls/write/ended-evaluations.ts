import type { CallRow } from '@heddle/datastore'
import { evaluateOp } from '../../../evaluation-calls/op-names.ts'
import { EncodedCall, type WrittenCall } from '../row/encoded-call.ts'

/** Called once the call of an evaluation run is stored with both its start and its end, for the first time. Must not reject. */
export type EvaluationEnded = (call: CallRow) => Promise<void>

type Ends = Pick<WrittenCall, 'ended_at' | 'has_start' | 'is_deleted'>

const hasEnded = ({ ended_at, has_start, is_deleted }: Ends) => ended_at !== null && has_start === 1 && is_deleted === 0

/** The version of a call as a row, where it is the first one in which an evaluation run has ended. */
export function endedEvaluation(stored: CallRow | undefined, written: WrittenCall): CallRow | undefined {
  if (written.op_short_name !== evaluateOp || !hasEnded(written) || (stored !== undefined && hasEnded(stored))) return undefined
  return written instanceof EncodedCall ? written.toRow() : written
}
