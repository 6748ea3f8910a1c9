import { bind, sql } from '@heddle/datastore'
import type { MembershipOperand } from '../compile/operand.ts'

/** The calls of annotation queues, by queue id; of a queue that is not named here no call is an item. */
export type QueueCalls = ReadonlyMap<string, readonly string[]>

/** Membership of annotation queues, and which of them the expressions ask for. */
export interface QueueMembership extends MembershipOperand {
  /** Ids of the queues that were asked for, each once. */
  asked(): string[]
}

export function createQueueMembership(calls: QueueCalls): QueueMembership {
  const asked = new Set<string>()
  return {
    kind: 'membership',
    contains(queueId) {
      asked.add(queueId)
      const ids = calls.get(queueId)
      return ids === undefined ? sql`0` : sql`(id IN ${bind('Array(String)', ids)})`
    },
    asked: () => [...asked],
  }
}
