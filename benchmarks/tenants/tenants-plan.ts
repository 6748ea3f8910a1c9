import type { Target } from '../load/load-plan.ts'
import type { Percentiles } from '../report/percentiles.ts'

/** Requests of many projects at a pace, whatever the answers do, or of one project as fast as it gets answers. */
export interface TenantsPlan {
  server: Pick<Target, 'url' | 'apiKey'>
  /** Requests go to these in turn. */
  projects: readonly string[]
  /** `write`: a batch of calls; `read`: the newest calls of the project; `search`: a page in the order of latency and a word that no call has, over all calls. */
  kind: 'write' | 'read' | 'search'
  /** Calls of a `write`. */
  callsOfRequest: number
  textBytes: number
  /** Of all projects together; undefined: each connection sends its next request when the one before is answered. */
  requestsPerSecond?: number
  connections: number
  seconds: number
  /** Different for writes to the same projects, more than their requests apart: ids follow from it. */
  firstSequence: number
  /** Folder with documents to cut texts from. */
  corpus: string
}

export interface TenantsResult {
  answered: number
  /** Answers other than 200, and errors. */
  failures: Record<string, number>
  /** Milliseconds of requests that were answered with 200. */
  latencyMs: Percentiles
}

export type TenantsMessage = { type: 'result'; result: TenantsResult } | { type: 'failed'; reason: string }
