import type { InputOf, tracing } from '@heddle/core-api'
import { completeChange, endChange, startChange, type CallChange, type CallStart } from './call-change.ts'

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
export function toStartChange(record: StartRecord, ids: CallIds, context: WriteContext): CallChange {
  return startChange(ids.id, toStart(record, ids.trace_id, context))
}

export function toEndChange(record: EndRecord): CallChange {
  return endChange(record.id, record)
}

export function toCompleteChange(record: CompleteRecord, context: WriteContext): CallChange {
  return completeChange(record.id, toStart(record, record.trace_id, context), record)
}

function toStart(record: StartRecord | CompleteRecord, trace_id: string, { userId, mask }: WriteContext): CallStart {
  return {
    ...record,
    trace_id,
    attributes: mask(record.attributes),
    inputs: mask(record.inputs),
    otel: record.otel_dump && mask(record.otel_dump),
    wb_user_id: userId,
  }
}
