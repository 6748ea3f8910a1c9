import type { Agent } from 'node:http'
import type { StampedBody } from '../data/stamped-body.ts'
import type { Target, Verification } from './load-plan.ts'
import { ask } from './post.ts'

/** A request that was answered with success. */
export interface Acknowledged {
  body: StampedBody
  sequence: number
}

const idsOfQuestion = 1_000

/** Counts the spans that the service shows. Only if the count differs from the acknowledged one are the ids searched, one by one. */
export async function verify(agent: Agent, target: Target, acknowledged: readonly Acknowledged[]): Promise<Verification> {
  const expected = acknowledged.reduce((sum, { body }) => sum + body.calls, 0)
  const counted = await countCalls(agent, target, {})
  if (counted === expected) return { acknowledged: expected, counted, missing: 0 }
  const ids = acknowledged.flatMap(({ body, sequence }) => body.idsOf(sequence))
  let found = 0
  for (let at = 0; at < ids.length; at += idsOfQuestion)
    found += await countCalls(agent, target, { call_ids: ids.slice(at, at + idsOfQuestion) })
  return { acknowledged: expected, counted, missing: expected - found }
}

async function countCalls(agent: Agent, target: Target, filter: object): Promise<number> {
  const { count } = await ask<{ count: number }>(agent, target, '/calls/query_stats', { project_id: target.project, filter })
  return count
}
