import type { CallsSearch } from '../calls-search.ts'

/** No trace has it: a list without any trace would select all. */
const noTrace = '0'.repeat(32)

/** What an address selects, with the traces that it asks for once they are known. */
export interface ListedCalls extends CallsSearch {
  /** Undefined while they are looked for, and where no trace is asked for. */
  traceIds?: readonly string[] | undefined
}

/** Whether all is known that selects calls. */
export const isKnown = ({ traces, traceIds }: ListedCalls) => traces === undefined || traceIds !== undefined

/** What selects calls by their traces, where the address asks for that. */
export const filterOfTraces = ({ traces, traceIds = [] }: ListedCalls): { trace_ids?: string[] } =>
  traces === undefined ? {} : { trace_ids: traceIds.length > 0 ? [...traceIds] : [noTrace] }
