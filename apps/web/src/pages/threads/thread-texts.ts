import type { Call, Thread } from '@heddle/core-api/types'
import { isSilent, type RowTexts, shownText } from '../../features/calls/texts-below/shown-text.ts'
import { textsOfCall } from '../../features/calls/texts-of-call.ts'

/** The beginning and the latest state of a thread. */
export interface ThreadTexts {
  /** The first question. `''` if unknown. */
  first: string
  /** The last answer, or why it failed. */
  last: string
  isFailed: boolean
}

type EndsOfThread = Pick<Thread, 'first_turn_id' | 'last_turn_id'>
/** Calls by their ids. */
type Calls = ReadonlyMap<string, Call>

/** The turns at the ends of threads for which model calls below them say more, such as agents whose input is their state. */
export function silentTurns(threads: readonly EndsOfThread[], calls: Calls): Call[] {
  const silent = threads.flatMap(({ first_turn_id, last_turn_id }) => {
    const [first, last] = [calls.get(first_turn_id ?? ''), calls.get(last_turn_id ?? '')]
    return [
      ...(first && isSilent(textsOfCall(first), 'input', true) ? [first] : []),
      ...(last && last.exception === null && isSilent(textsOfCall(last), 'output', true) ? [last] : []),
    ]
  })
  return [...new Set(silent)]
}

/** @param below texts of model calls below the turns that are silent, by the ids of the turns */
export function textsOfThread(
  { first_turn_id, last_turn_id }: EndsOfThread,
  calls: Calls,
  below: ReadonlyMap<string, RowTexts>,
): ThreadTexts {
  const [first, last] = [calls.get(first_turn_id ?? ''), calls.get(last_turn_id ?? '')]
  const shown = (turn: Call | undefined, side: keyof RowTexts) =>
    turn === undefined ? '' : shownText(textsOfCall(turn), side, { whole: true, below: below.get(turn.id) })
  const failure = last?.exception ?? undefined
  return { first: shown(first, 'input'), last: failure ?? shown(last, 'output'), isFailed: failure !== undefined }
}
