import { parseRef } from '@heddle/core-api'
import type { Call } from '@heddle/core-api/types'
import { memberOf } from '@heddle/core-api/internal'
import { textMember } from '../../../../lib/text-member.ts'
import { toCell } from '../../../../lib/texts/to-text.ts'

/** A requested score: created, failed, or pending. */
export interface RequestedScore {
  callId: string
  scorer: string
  state: 'waiting' | 'made' | 'failed'
  /** The verdict, or why there is none; empty while it is waited for. */
  text: string
  /** Call that created it, which has its details. */
  scoreCallId: string | undefined
}

/** Calls that created scores, in any order, with their results. */
export type ScoreCall = Pick<Call, 'id' | 'attributes' | 'output' | 'exception'>

/** A request for scores. */
export interface ScoreRequest {
  callIds: readonly string[]
  /** References to scorers. */
  scorers: readonly string[]
  /** Ids of scoring calls that existed before the request. */
  before: ReadonlySet<string>
}

/** Each requested score, by call and then by scorer. Scores created before the request are ignored. */
export function scoresOfCalls({ callIds, scorers, before }: ScoreRequest, scoreCalls: readonly ScoreCall[]): RequestedScore[] {
  const found = new Map(scoreCalls.filter(({ id }) => !before.has(id)).map((call) => [keyOf(marksOf(call)), call]))
  return callIds.flatMap((callId) =>
    scorers.map((scorer): RequestedScore => {
      const call = found.get(keyOf({ callId, scorer }))
      const place = { callId, scorer: nameOfScorer(scorer), scoreCallId: call?.id }
      if (call === undefined) return { ...place, state: 'waiting', text: '' }
      return call.exception === null
        ? { ...place, state: 'made', text: toCell(call.output) }
        : { ...place, state: 'failed', text: reasonIn(call.exception) }
    }),
  )
}

const keyOf = ({ callId, scorer }: { callId: string; scorer: string }) => `${callId}\n${scorer}`

function marksOf({ attributes }: ScoreCall) {
  const weave = memberOf(attributes, 'weave')
  return { callId: textMember(weave, 'prediction_id'), scorer: textMember(weave, 'scorer') }
}

/** The message of an exception, which clients write as JSON. */
function reasonIn(exception: string): string {
  try {
    return textMember(JSON.parse(exception), 'message') || toCell(exception)
  } catch {
    return toCell(exception)
  }
}

/** The name in a reference to a scorer. */
function nameOfScorer(ref: string): string {
  const parsed = parseRef(ref)
  return parsed?.kind === 'object' ? parsed.name : ref
}

/** How far scores are, in words. */
export function progressOf(scores: readonly RequestedScore[]): string {
  const count = (state: RequestedScore['state']) => scores.filter((score) => score.state === state).length
  const [made, failed] = [count('made'), count('failed')]
  const done = made + failed === scores.length ? 'All scores are there' : `${made + failed} of ${scores.length} scores are there`
  return `${done}: ${made} made${failed > 0 ? `, ${failed} failed` : ''}.`
}
