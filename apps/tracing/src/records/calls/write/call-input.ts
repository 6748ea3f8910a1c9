import type { InputOf, tracing } from '@heddle/core-api'
import type { Steps } from '@heddle/service-kit'
import { completeSteps, endSteps, startSteps, type CallChange, type CallStart } from './call-change.ts'

type StartRecord = InputOf<(typeof tracing)['calls']['start']>['start']
type EndRecord = InputOf<(typeof tracing)['calls']['end']>['end']
type CompleteRecord = InputOf<(typeof tracing)['calls']['complete']>['batch'][number]

/** Ids of a call where its client left them out. */
export interface CallIds {
  id: string
  trace_id: string
}

/** Who writes, and what happens to a payload before it is stored. */
export interface WriteContext {
  userId: string
  /** Hides credentials; returns the payload itself where there is nothing to hide. */
  mask<T>(payload: T): T
}

/** A start as sent, with its ids and its writer filled in and its credentials masked. */
export function* toStartChange(record: StartRecord, ids: CallIds, context: WriteContext): Steps<CallChange> {
  const isTraceGenerated = record.trace_id === null || record.trace_id === undefined
  return { ...(yield* startSteps(ids.id, yield* toStart(record, ids.trace_id, context))), isTraceGenerated }
}

export function toEndChange(record: EndRecord): Steps<CallChange> {
  return endSteps(record.id, record)
}

export function* toCompleteChange(record: CompleteRecord, context: WriteContext): Steps<CallChange> {
  return yield* completeSteps(record.id, yield* toStart(record, record.trace_id, context), record)
}

function* toStart(record: StartRecord | CompleteRecord, trace_id: string, { userId, mask }: WriteContext): Steps<CallStart> {
  const attributes = mask(record.attributes)
  yield
  const inputs = mask(record.inputs)
  yield
  const otel = record.otel_dump && mask(record.otel_dump)
  yield
  return { ...record, trace_id, attributes, inputs, otel, wb_user_id: userId }
}
