import type { Content } from '../data/nested-text.ts'
import type { Percentiles } from '../report/percentiles.ts'

/** Where load goes. */
export interface Target {
  url: string
  apiKey: string
  /** `entity/project`. */
  project: string
}

/** What the requests of a load are: `halves` sends the start and the end of a call one after the other. */
export type LoadKind = 'upsert' | 'halves' | 'complete' | 'spans'

export interface LoadPlan {
  target: Target
  kind: LoadKind
  /** Each sends its next request when the one before is answered: a closed loop. */
  connections: number
  /** Calls or spans of a request. */
  callsOfRequest: number
  /** About how many bytes of text a call carries. */
  textBytes: number
  /** Default: plain. */
  content?: Content | undefined
  /** Before anything is measured. */
  warmUpSeconds: number
  seconds: number
  /** Folder with documents to cut texts from. */
  corpus: string
}

export interface LoadResult {
  seconds: number
  requests: number
  /** Calls whose requests were all answered with success. */
  calls: number
  bodyBytes: number
  latencyMs: Percentiles
  /** Failed requests by status or error. */
  failures: Record<string, number>
  /** Seconds of processor time of the load itself. */
  cpuSeconds: number
}

export interface Verification {
  /** Calls that were acknowledged, in the warm-up too. */
  acknowledged: number
  /** Calls that the service counts. */
  counted: number
  /** Acknowledged calls that it does not show. */
  missing: number
}

/** What the process of the load tells, in this order. It continues after each when it gets a message. */
export type LoadMessage =
  | { type: 'prepared' }
  | { type: 'warm' }
  | { type: 'done'; result: LoadResult }
  | { type: 'verified'; verification: Verification }
  | { type: 'failed'; reason: string }
