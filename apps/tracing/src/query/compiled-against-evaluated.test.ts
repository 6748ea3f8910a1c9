import { isApiError } from '@heddle/core-api'
import { startTestStores, type TestStores } from '@heddle/datastore/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringifyJson } from '@heddle/service-kit/json'
import { findIds, insertCalls, insertFeedback, insertObjectValue } from './testing/call-store.ts'
import { compareCalls, evaluateExpression, type TestScene } from './testing/evaluate-expression.ts'
import { randomCall, randomDocument, randomFeedback, randomQuery, randomReference, randomSort } from './testing/random-queries.ts'

const queries = process.env.HEDDLE_TEST_LONG ? 3000 : 120
const seed = Number(process.env.HEDDLE_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
/** Refs that lead to the documents, in their order. */
const documentNames = ['d0', 'd1', 'd2'].map((digest) => `weave:///e/p/object/o:${digest}`)
const documents = fc.sample(randomDocument, { numRuns: 3, seed })
const references = fc.sample(randomReference, { numRuns: 100, seed })
const feedback = fc
  .sample(randomFeedback, { numRuns: 80, seed })
  .map(({ call, ...given }) => ({ ...given, weave_ref: `weave:///e/p/call/c${call % 100}` }))
const calls: TestScene[] = fc.sample(randomCall, { numRuns: 100, seed }).map((call, index) => {
  const ref = references[index]
  return {
    ...call,
    id: `c${index}`,
    inputs: { ...(call.inputs as object), ref },
    feedback: feedback.filter(({ weave_ref }) => weave_ref === `weave:///e/p/call/c${index}`),
    expanded: 'ref',
    referenced: documents[documentNames.indexOf(String(ref))],
  }
})

/** The ref of each call is followed, but not to a version that is deleted. */
const around = { expand_columns: ['inputs.ref'], deletedVersions: ['object/deleted:d0'] }

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores()
  await insertCalls(stores.analytical, calls)
  await insertFeedback(stores.analytical, feedback)
  for (const [index, document] of documents.entries())
    await insertObjectValue(stores.analytical, { project_id: 'e/p', digest: `d${index}`, val: stringifyJson(document) })
})
afterAll(() => stores.close())

test(
  `${queries} random queries keep and order the calls that an evaluator in memory does (HEDDLE_TEST_SEED=${seed})`,
  { timeout: queries * 10_000 },
  async () => {
    const property = fc.asyncProperty(randomQuery, randomSort, fc.boolean(), async (query, sort_by, probes) => {
      const keys = sort_by.some(({ field }) => field === 'id') ? sort_by : [...sort_by, finalKey(sort_by)]
      const found = await findIds(stores.analytical, { query, sort_by, ...around }, { probes }).catch((error: unknown) => {
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
