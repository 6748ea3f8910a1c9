import type { CallRow } from '@heddle/datastore'
import { evaluateOp } from '@heddle/trace-model'
import { EncodedCall, type WrittenCall } from '../row/encoded-call.ts'

/** Notifications about evaluation runs whose call gets both its start and its end for the first time. Neither must reject. */
export interface EvaluationEnds {
  /** Called before the calls are stored, of one project. They may then not be stored. */
  expect(calls: readonly CallRow[]): Promise<void>
  /** Called once they are stored. */
  announce(calls: readonly CallRow[]): Promise<void>
}

type Ends = Pick<WrittenCall, 'ended_at' | 'has_start' | 'is_deleted'>

const hasEnded = ({ ended_at, has_start, is_deleted }: Ends) => ended_at !== null && has_start === 1 && is_deleted === 0

/** Whether a call is of an evaluation run that has ended. */
export const isEndedEvaluation = (call: Ends & Pick<WrittenCall, 'op_short_name'>) => call.op_short_name === evaluateOp && hasEnded(call)

/** The version of a call as a row, where it is the first one in which an evaluation run has ended. */
export function endedEvaluation(stored: CallRow | undefined, written: WrittenCall): CallRow | undefined {
  if (!isEndedEvaluation(written) || (stored !== undefined && hasEnded(stored))) return undefined
  return written instanceof EncodedCall ? written.toRow() : written
}
