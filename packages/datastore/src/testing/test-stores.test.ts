import { expect, test } from 'vitest'
import { callsTable } from '../analytical/tables/calls.ts'
import { aBlock, aCallRow, aRefusedBlock, startTestStores } from './index.ts'

const refused = aRefusedBlock()

test('a test that loses an acknowledged row fails when its stores close', async () => {
  const stores = await startTestStores()
  await stores.analytical.insert(callsTable, refused)
  await expect(stores.close()).rejects.toThrow(/refused rows that were acknowledged: .*Unknown type/)
})

test('a test that expects a refused row gets a callback instead', async () => {
  const reported: string[] = []
  const stores = await startTestStores({ onRefused: ({ path }) => reported.push(path) })
  await stores.analytical.insert(callsTable, refused)
  await stores.close()
  expect(reported).toHaveLength(1)
})

test('a test that leaves acknowledged rows out of their table fails when its stores close', async () => {
  const stores = await startTestStores({ batching: { lingerMs: 60_000 } })
  await stores.analytical.insert(callsTable, aBlock(callsTable, aCallRow()))
  await stores.engine.stop()
  await expect(stores.close()).rejects.toThrow(/still in the journal: calls\/\d+\.rows/)
})
