import { isApiError } from '@heddle/core-api'
import { startTestStores, type TestStores } from '@heddle/datastore/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestCall } from './testing/call-row.ts'
import { findIds, insertCalls } from './testing/call-store.ts'
import { compareCalls, evaluateExpression } from './testing/evaluate-expression.ts'
import { randomCall, randomQuery, randomSort } from './testing/random-queries.ts'

const queries = process.env.HEDDLE_TEST_LONG ? 3000 : 120
const seed = Number(process.env.HEDDLE_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
const calls: TestCall[] = fc.sample(randomCall, { numRuns: 100, seed }).map((call, index) => ({ ...call, id: `c${index}` }))

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores()
  await insertCalls(stores.analytical, calls)
})
afterAll(() => stores.close())

test(
  `${queries} random queries keep and order the calls that an evaluator in memory does (HEDDLE_TEST_SEED=${seed})`,
  { timeout: queries * 1000 },
  async () => {
    const property = fc.asyncProperty(randomQuery, randomSort, fc.boolean(), async (query, sort_by, probes) => {
      const keys = sort_by.some(({ field }) => field === 'id') ? sort_by : [...sort_by, finalKey(sort_by)]
      const found = await findIds(stores.analytical, { query, sort_by }, { probes }).catch((error: unknown) => {
        if (isApiError(error)) return 'refused'
        throw error
      })
      fc.pre(found !== 'refused')
      const kept = calls.filter((call) => evaluateExpression(query, call) === true).sort((a, b) => compareCalls(a, b, keys))
      expect(found).toEqual(kept.map(({ id }) => id))
    })
    await fc.assert(property, { numRuns: queries, seed, maxSkipsPerRun: 5 })
  },
)

function finalKey(keys: { field: string; direction: 'asc' | 'desc' }[]): { field: string; direction: 'asc' | 'desc' } {
  const last = keys.at(-1)
  return { field: 'id', direction: last?.field === 'started_at' ? last.direction : 'desc' }
}
