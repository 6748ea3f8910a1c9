import { messageKey } from '@heddle/core-api/histories'
import type { Outcome, RecordedExchange } from '../capture/recorder.ts'

/** Model calls that a framework reports separately from their requests, which another source may have observed. */
export interface ReportedCalls {
  /** Notes the outcome of a call that was seen as it travelled. */
  sawCall(outcome: Outcome): void
  /** Whether a reported call is under way, which may be one that its endpoint has no form for. */
  isUnderway(): boolean
  /** Begins a reported call. The returned function ends it, and returns whether its request was observed: each such request counts once. */
  begin(): (outcome: Outcome) => boolean
}

/** Calls that were seen while one is reported. Beyond it the oldest are forgotten. */
const maxSeen = 1_000

export function createReportedCalls(limit = maxSeen): ReportedCalls {
  const seen: Outcome[] = []
  let underway = 0
  return {
    sawCall(outcome) {
      if (underway === 0) return
      seen.push(outcome)
      if (seen.length > limit) seen.shift()
    },
    isUnderway: () => underway > 0,
    begin() {
      underway++
      return (outcome) => {
        const place = placeOf(outcome, seen)
        if (place >= 0) seen.splice(place, 1)
        underway--
        if (underway === 0) seen.length = 0
        return place >= 0
      }
    },
  }
}

/** The same response has the same id; frameworks that drop the id report the message. A failed call is found by its error. */
function placeOf(reported: Outcome, seen: readonly Outcome[]): number {
  if ('error' in reported) return seen.findIndex((one) => 'error' in one)
  const byId = seen.findIndex((one) => isExchange(one) && isExchange(reported) && sharesId(one, reported))
  if (byId >= 0 || !isExchange(reported)) return byId
  const said = whatWasSaid(reported)
  return seen.findIndex((one) => isExchange(one) && whatWasSaid(one) === said)
}

function isExchange(outcome: Outcome): outcome is RecordedExchange {
  return 'choices' in outcome
}

function sharesId(one: RecordedExchange, other: RecordedExchange): boolean {
  return one.responseIds.some((id) => other.responseIds.includes(id))
}

function whatWasSaid({ messages, choices }: RecordedExchange): string {
  const last = messages.at(-1)
  return JSON.stringify([last && messageKey(last), choices.map(({ message }) => messageKey(message))])
}
