import { callsTable, sql } from '@heddle/datastore'
import { aBlock, aCallRow, startTestStores, type TestStores } from '@heddle/datastore/testing'
import { createTraceSettling } from '@heddle/tracing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareDerived } from './compare-derived.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores({ derive: createTraceSettling() })
})
afterAll(() => stores.close())

async function findings() {
  const found = []
  for await (const finding of compareDerived(stores.analytical, 0)) found.push(finding)
  return found
}

test(
  'totals that do not follow from their calls are a warning that names the traces and how to compute them again',
  { timeout: 60_000 },
  async () => {
    const rows = ['a', 'b'].map((id) => aCallRow({ id, trace_id: `trace-${id}`, has_start: 1, expire_at: 0 }))
    await stores.analytical.insert(callsTable, aBlock(callsTable, ...rows))
    await stores.analytical.rows(sql`SELECT 1`)
    expect(await findings()).toMatchObject([{ state: 'ok', name: 'Traces' }])
    await stores.analytical.execute(
      sql`INSERT INTO heddle.traces SELECT * REPLACE (7 AS calls, version + 1 AS version) FROM heddle.traces FINAL WHERE trace_id = 'trace-a'`,
    )
    const [finding] = await findings()
    expect(finding).toMatchObject({ state: 'warning', remedy: expect.stringContaining('heddle rebuild traces') as string })
    expect(finding?.detail).toContain('trace-a')
    expect(finding?.detail).not.toContain('trace-b')
  },
)
