import type { CallsSearch } from '../calls-search.ts'

/** No trace has it: a list without any trace would select all. */
const noTrace = '0'.repeat(32)

/** The selection of an address, with the traces that it requests once they are known. */
export interface ListedCalls extends CallsSearch {
  /** Undefined while they are loading, and if no traces are requested. */
  traceIds?: readonly string[] | undefined
}

/** Whether all is known that selects calls. */
export const isKnown = ({ traces, traceIds }: ListedCalls) => traces === undefined || traceIds !== undefined

/** Selects calls by their traces, if the address requests it. */
export const filterOfTraces = ({ traces, traceIds = [] }: ListedCalls): { trace_ids?: string[] } =>
  traces === undefined ? {} : { trace_ids: traceIds.length > 0 ? [...traceIds] : [noTrace] }
