import type { LoadKind, Target } from '../load/load-plan.ts'
import type { Percentiles } from '../report/percentiles.ts'

/** Load that comes at its own pace, whatever the answers do: an open loop. */
export interface PacedPlan {
  server: Pick<Target, 'url' | 'apiKey'>
  /** Requests go to these in turn. */
  projects: readonly string[]
  kind: Exclude<LoadKind, 'halves'>
  callsOfRequest: number
  textBytes: number
  /** Of all projects together. */
  requestsPerSecond: number
  seconds: number
  /** Different for loads on the same projects, more than their requests apart: ids follow from it. */
  firstSequence: number
  /** Requests without an answer, beyond which a turn is passed over and counted: a client has only so many connections. */
  maxUnderWay: number
  /** Folder with documents to cut texts from. */
  corpus: string
}

/** Outcomes of the requests that were sent in one second. */
export interface SecondOfLoad {
  acknowledged: number
  refused: number
  /** Of acknowledged requests. */
  p50: number
  p99: number
}

export interface PacedResult {
  sent: number
  /** Turns at which too many requests were under way. */
  passedOver: number
  acknowledgedRequests: number
  acknowledgedCalls: number
  /** Calls that were acknowledged and are not shown. */
  missing: number
  /** Answers other than 200, and errors. */
  failures: Record<string, number>
  /** Refusals with 429 or 503 that do not say when to come back. */
  withoutRetryAfter: number
  mostUnderWay: number
  /** Milliseconds of acknowledged requests. */
  latencyMs: Percentiles
  seconds: SecondOfLoad[]
}

export type PacedMessage = { type: 'result'; result: PacedResult } | { type: 'failed'; reason: string }
