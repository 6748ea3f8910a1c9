import { sql } from '@heddle/datastore'
import type { MembershipOperand } from '../compile/operand.ts'

/** Membership of annotation queues. No queue is stored, so no call is an item of one. */
export const queueMembership: MembershipOperand = { kind: 'membership', contains: () => sql`0` }
