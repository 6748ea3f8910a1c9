import type { LoadPlan } from '../load/load-plan.ts'

/** One kind of load, on a server and a store of its own. */
export interface Scenario extends Pick<LoadPlan, 'kind' | 'connections' | 'callsOfRequest' | 'textBytes' | 'content'> {
  name: string
}

/** Text of a call of 4.4 KB, and of spans of 5.9 KB and 0.55 KB. */
const callText = 3_600
const largeSpanText = 5_150
/** Text of a span of 9 KB, as agents send it. */
const nestedSpanText = 6_800

export const scenarios: readonly Scenario[] = [
  { name: 'upsert-1', kind: 'upsert', connections: 64, callsOfRequest: 1, textBytes: callText },
  { name: 'halves-1', kind: 'halves', connections: 64, callsOfRequest: 1, textBytes: callText },
  { name: 'upsert-20', kind: 'upsert', connections: 64, callsOfRequest: 20, textBytes: callText },
  { name: 'complete-20', kind: 'complete', connections: 64, callsOfRequest: 20, textBytes: callText },
  { name: 'spans-5900', kind: 'spans', connections: 8, callsOfRequest: 100, textBytes: largeSpanText },
  { name: 'spans-550', kind: 'spans', connections: 8, callsOfRequest: 100, textBytes: 0 },
  { name: 'spans-9000-nested', kind: 'spans', connections: 8, callsOfRequest: 100, textBytes: nestedSpanText, content: 'nested' },
  { name: 'spans-530-nested', kind: 'spans', connections: 8, callsOfRequest: 100, textBytes: 0, content: 'nested' },
  { name: 'complete-20-nested', kind: 'complete', connections: 64, callsOfRequest: 20, textBytes: callText, content: 'nested' },
]
