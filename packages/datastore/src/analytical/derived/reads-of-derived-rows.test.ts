import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBlock, aCallRow, startTestStores, type TestStores } from '../../testing/index.ts'
import { sql, type Sql } from '../sql.ts'
import { callsTable } from '../tables/calls.ts'

const deriving: (() => void)[] = []
let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores({ derive: () => new Promise<void>((resolve) => void deriving.push(resolve)) })
})
afterAll(async () => {
  for (const end of deriving) end()
  await stores.close()
})

const count = async (statement: Sql) => (await stores.analytical.rows<{ count: number }>(statement))[0]?.count

test.each([
  ['traces', sql`SELECT toFloat64(count()) AS count FROM heddle.traces`],
  ['usage', sql`SELECT toFloat64(count()) AS count FROM heddle.calls WHERE id IN (SELECT call_id FROM heddle.usage)`],
])('reads of calls do not wait for what is derived from them, reads of %s do', async (name, derived) => {
  const calls = sql`SELECT toFloat64(count()) AS count FROM heddle.calls`
  const before = (await count(calls)) ?? 0
  const begun = deriving.length
  await stores.analytical.insert(callsTable, aBlock(callsTable, aCallRow({ id: `call before ${name}` })))
  let isRead = false
  const reading = count(derived).then(() => (isRead = true))
  expect(await count(calls)).toBe(before + 1)
  expect(isRead).toBe(false)
  await expect.poll(() => deriving.length).toBe(begun + 1)
  deriving.at(-1)?.()
  await reading
})
