import { conflict } from '@heddle/core-api/internal'
import type { Database, Micros } from '@heddle/datastore'
import { repeatMicros, type RepeatableRequest, type RepeatsStore } from './repeats-store.ts'

export function sqlRepeatsStore(database: Database): RepeatsStore {
  return {
    async once(transaction, request, at, work) {
      if (!request) return work()
      const known = await claim(transaction, request, at)
      if (known !== undefined) return JSON.parse(known) as Awaited<ReturnType<typeof work>>
      const answer = await work()
      await rowOf(transaction, request)
        .set({ answer: JSON.stringify(answer) })
        .execute()
      return answer
    },
    async sweep(now) {
      const { numDeletedRows } = await database
        .deleteFrom('repeated_requests')
        .where('created_at', '<', now - repeatMicros)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

const rowOf = (transaction: Database, { scope, key }: RepeatableRequest) =>
  transaction.updateTable('repeated_requests').where('scope', '=', scope).where('key', '=', key)

/** Takes the key; the second of two requests at the same time waits for the first. Returns the answer that is there. */
async function claim(transaction: Database, request: RepeatableRequest, at: Micros): Promise<string | undefined> {
  const { scope, key, fingerprint } = request
  const { numInsertedOrUpdatedRows = 0n } = await transaction
    .insertInto('repeated_requests')
    .values({ scope, key, fingerprint, answer: 'null', created_at: at })
    .onConflict((onConflict) => onConflict.columns(['scope', 'key']).doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows > 0n) return undefined
  const row = await transaction
    .selectFrom('repeated_requests')
    .selectAll()
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (row.created_at < at - repeatMicros) {
    await rowOf(transaction, request).set({ fingerprint, created_at: at }).execute()
    return undefined
  }
  if (row.fingerprint === fingerprint) return row.answer
  throw conflict(`the Idempotency-Key ${JSON.stringify(key)} was used for another request within 24 hours; give this one a key of its own`)
}
