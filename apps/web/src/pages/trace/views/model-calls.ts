import type { Message, SettledTrace } from '@heddle/trace-model'
import type { TraceCall } from '../trace-queries.ts'

/** Calls that used a model themselves, by their start: requests to one, and those whose usage counts since nothing below them tells more. */
export function modelCallsOf(calls: readonly TraceCall[], settled: SettledTrace | undefined): TraceCall[] {
  const isOne = ({ id, isModelCall }: TraceCall) => {
    const count = settled?.marks.get(id)?.count
    return count === undefined ? isModelCall : count === 'whole' || count === 'rest'
  }
  return calls.filter(isOne).sort((a, b) => a.startedAt - b.startedAt)
}

/** How many messages at the start of a conversation stood at the start of another. */
export function sharedStart(messages: readonly Message[], before: readonly Message[]): number {
  const at = messages.findIndex((message, place) => JSON.stringify(message) !== JSON.stringify(before[place]))
  return at < 0 ? messages.length : at
}
