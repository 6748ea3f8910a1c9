import { readFileSync } from 'node:fs'
import { CallsFilter, isApiError, QueryExpression, SortBy } from '@heddle/core-api'
import { startTestStores, type TestStores } from '@heddle/datastore/testing'
import { parseJson } from '@heddle/json'
import { sliceOfCases } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestCall } from './testing/call-row.ts'
import { findIds, insertCalls, insertFeedback, insertObjectValue, type TestQuery } from './testing/call-store.ts'
import type { TestFeedback } from './testing/feedback-row.ts'

interface Expectation {
  ids?: string[]
  status?: number
  reason?: string
}

interface VectorCase {
  name: string
  query?: unknown
  filter?: unknown
  sort_by?: unknown[]
  limit?: number
  offset?: number
  expand_columns?: string[]
  expect: Expectation
  heddle_expect?: Expectation
}

interface Vectors {
  objects: { object_id: string; val: unknown; digest: string }[]
  calls: (TestCall & { label: string })[]
  feedback: TestFeedback[]
  cases: VectorCase[]
}

const vectors = parseJson(readFileSync(new URL('../vectors/query-vectors.json', import.meta.url), 'utf8')) as unknown as Vectors

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores()
  const refs = ({ inputs }: TestCall) => Object.values(inputs as object).filter((value) => String(value).startsWith('weave:///'))
  await insertCalls(
    stores.analytical,
    vectors.calls.map((call) => ({ ...call, input_refs: refs(call) })),
  )
  await insertFeedback(stores.analytical, vectors.feedback)
  for (const { val, digest } of vectors.objects) {
    await insertObjectValue(stores.analytical, { project_id: 'e/p', digest, val: JSON.stringify(val) })
  }
})
afterAll(() => stores.close())

/** Parses as the door does, then runs; a refusal is its status and reason. */
async function answer(vector: VectorCase, probes: boolean): Promise<Expectation> {
  const filter = CallsFilter.safeParse(vector.filter ?? {})
  const query = vector.query === undefined ? { success: true as const, data: null } : QueryExpression.safeParse(vector.query)
  const sort = (vector.sort_by ?? []).map((key) => SortBy.safeParse(key))
  if (!filter.success || !query.success || sort.some(({ success }) => !success)) return { status: 422 }
  const request: TestQuery = {
    filter: filter.data,
    query: query.data,
    sort_by: vector.sort_by === undefined ? null : sort.map(({ data }) => data as SortBy),
    limit: vector.limit,
    offset: vector.offset,
    expand_columns: vector.expand_columns,
  }
  try {
    const ids = await findIds(stores.analytical, request, { probes })
    return { ids: ids.map((id) => `c${id.slice(-1)}`) }
  } catch (error) {
    if (!isApiError(error)) throw error
    return { status: error.status, reason: error.message }
  }
}

describe.each([true, false])('recorded cases, with a look at the unindexed paths first: %s', (probes) => {
  test.each(sliceOfCases(vectors.cases, { isWhole: probes }))('$name', async (vector) => {
    const expected = vector.heddle_expect ?? vector.expect
    const { reason, ...rest } = expected
    const actual = await answer(vector, probes)
    expect(actual).toMatchObject(rest)
    if (reason !== undefined) expect(actual.reason).toContain(reason)
  })
})
