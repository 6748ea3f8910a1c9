import { callRequest } from '../data/call-request.ts'
import { exportRequest } from '../data/export-request.ts'
import { createRandom } from '../data/random.ts'
import type { StampedBody } from '../data/stamped-body.ts'
import type { LoadPlan } from './load-plan.ts'

/** Requests that are sent one after the other and together write their calls. */
export interface Round {
  steps: readonly StampedBody[]
  path: string
  contentType: string
}

/** Different requests of one connection, so that stored texts do not repeat within what is compressed together. */
const roundsOfConnection = 4
const spansOfTrace = 10

/** The requests that one connection sends in turn. No other uses their bytes. */
export function roundsOf(plan: LoadPlan, corpus: string, connection: number): Round[] {
  return Array.from({ length: roundsOfConnection }, (_, index) => {
    const seed = connection * roundsOfConnection + index + 1
    return { ...doorOf(plan), steps: stepsOf(plan, corpus, seed) }
  })
}

function doorOf({ kind, target }: LoadPlan): Omit<Round, 'steps'> {
  if (kind === 'spans') return { path: '/otel/v1/traces', contentType: 'application/x-protobuf' }
  const path = kind === 'complete' ? `/v2/${target.project}/calls/complete` : '/call/upsert_batch'
  return { path, contentType: 'application/json' }
}

function stepsOf({ kind, target, callsOfRequest, textBytes, content }: LoadPlan, corpus: string, seed: number): StampedBody[] {
  // The same seed gives the halves of a call the same ids.
  const source = () => ({ corpus, random: createRandom(seed) })
  const calls = { project: target.project, calls: callsOfRequest, textBytes, content }
  if (kind === 'spans') return [exportRequest({ spans: callsOfRequest, spansOfTrace, textBytes, content, source: source() })]
  if (kind !== 'halves') return [callRequest({ ...calls, kind, source: source() })]
  return [callRequest({ ...calls, kind: 'start', source: source() }), callRequest({ ...calls, kind: 'end', source: source() })]
}
