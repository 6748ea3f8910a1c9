import { bind, sql, type Sql } from '@heddle/datastore'
import { listedTexts } from '../compile/operands/listed-texts.ts'
import type { MembershipOperand } from '../compile/operands/operand.ts'

/** The calls of annotation queues, by queue id; of a queue that is not named here no call is an item. */
export type QueueCalls = ReadonlyMap<string, readonly string[]>

/** Membership of annotation queues, and which of them the expressions use. */
export interface QueueMembership extends MembershipOperand {
  /** Ids of the queues in use, each once. */
  requested(): string[]
  /** Named parts of the expressions, for the start of a statement: 1 for the calls of a queue, else 0. */
  definitions(calls: QueueCalls): Sql[]
}

export function createQueueMembership(): QueueMembership {
  const positions = new Map<string, number>()
  return {
    kind: 'membership',
    contains(queueId) {
      const at = positions.get(queueId) ?? positions.size
      positions.set(queueId, at)
      return sql`${nameAt(at)}`
    },
    requested: () => [...positions.keys()],
    definitions: (calls) =>
      [...positions].map(([queueId, at]) => {
        const ids = calls.get(queueId)
        return ids === undefined ? sql`0 AS ${nameAt(at)}` : sql`(id IN (${listedTexts(ids)})) AS ${nameAt(at)}`
      }),
  }
}

function nameAt(at: number) {
  return bind('Identifier', `queue_${at}`)
}
