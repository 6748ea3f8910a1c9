import { isApiError } from '@heddle/core-api'
import { sql } from '@heddle/datastore'
import { startTestStores, type TestStores } from '@heddle/datastore/testing'
import { stringifyJson } from '@heddle/json'
import { testSeed, trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findIds, insertCalls, insertFeedback, insertObjectValue } from '../testing/call-store.ts'
import { compareCalls, evaluateExpression, type TestScene } from '../testing/evaluate-expression.ts'
import { randomCall, randomDocument, randomFeedback, randomQuery, randomReference, randomSort } from '../testing/random-queries.ts'

/** Each is run over this many calls: a query costs more than a call. */
const callCount = 200
const queries = trials({ usual: 26, long: 3_000 })
const pairsOfRun = 5_000
const seed = testSeed()
/** Refs that lead to the documents, in their order. */
const documentNames = ['d0', 'd1', 'd2'].map((digest) => `weave:///e/p/object/o:${digest}`)
const documents = fc.sample(randomDocument, { numRuns: 3, seed })
const references = fc.sample(randomReference, { numRuns: callCount, seed })
const feedback = fc
  .sample(randomFeedback, { numRuns: callCount * 0.8, seed })
  .map(({ call, ...given }) => ({ ...given, weave_ref: `weave:///e/p/call/c${call % callCount}` }))
const calls: TestScene[] = fc.sample(randomCall, { numRuns: callCount, seed }).map((call, index) => {
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

/**
 * What stands around those calls and is never found: for each of them older versions with other payloads, and a call of the same payload
 * that was deleted, has expired, has not started or is of another project.
 */
const olderVersions = fc.sample(randomCall, { numRuns: callCount * 2, seed: seed + 1 }).map((old, index) => {
  const current = calls[index % calls.length] as TestScene
  // What a call is stored under stays the same in all of its versions.
  return {
    ...old,
    id: current.id,
    ...(current.started_at && { started_at: current.started_at }),
    version: BigInt(Math.floor(index / callCount)),
  }
})
const unseenFor = [
  { project_id: 'e/other' },
  { has_start: 0 as const },
  { expire_at: 1_700_000_000_000_000 },
  { version: 3n, is_deleted: 1 as const },
]
const unseen = calls.map((call, index) => ({ ...call, id: `unseen${index}`, ...unseenFor[index % unseenFor.length] }))
const beforeDeletion = unseen.filter((call) => 'is_deleted' in call).map((call) => ({ ...call, version: 2n, is_deleted: 0 as const }))

/** The ref of each call is followed, but not to a version that is deleted. */
const around = { expand_columns: ['inputs.ref'], deletedVersions: ['object/deleted:d0'] }

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores()
  // A question between two inserts keeps them apart, so that versions of a call meet only when they are read.
  for (const rows of [olderVersions.slice(0, callCount), olderVersions.slice(callCount), beforeDeletion]) {
    await insertCalls(stores.analytical, rows)
    await stores.analytical.rows(sql`SELECT 1 AS one`)
  }
  await insertCalls(stores.analytical, [...calls.map((call) => ({ ...call, version: 2n })), ...unseen])
  await insertFeedback(stores.analytical, feedback)
  for (const [index, document] of documents.entries())
    await insertObjectValue(stores.analytical, { project_id: 'e/p', digest: `d${index}`, val: stringifyJson(document) })
})
afterAll(() => stores.close())

test(
  `${queries} random queries keep and order the calls that an evaluator in memory does (HEDDLE_TEST_SEED=${seed})`,
  { timeout: queries * 10_000 },
  async () => {
    const asked = new Set<string>()
    const property = fc.asyncProperty(randomQuery, randomSort, fc.boolean(), async (query, sort_by, probes) => {
      const keys = sort_by.some(({ field }) => field === 'id') ? sort_by : [...sort_by, finalKey(sort_by)]
      const found = await findIds(stores.analytical, { query, sort_by, ...around }, { probes }).catch((error: unknown) => {
        if (isApiError(error)) return 'refused'
        throw error
      })
      fc.pre(found !== 'refused')
      const kept = calls.filter((call) => evaluateExpression(query, call) === true).sort((a, b) => compareCalls(a, b, keys))
      expect(found).toEqual(kept.map(({ id }) => id))
      asked.add(stringifyJson({ query, keys }))
    })
    await fc.assert(property, { numRuns: queries, seed, maxSkipsPerRun: 5 })
    expect(asked.size * calls.length, 'different pairs of a call and a query').toBeGreaterThanOrEqual(pairsOfRun)
  },
)

function finalKey(keys: { field: string; direction: 'asc' | 'desc' }[]): { field: string; direction: 'asc' | 'desc' } {
  const last = keys.at(-1)
  return { field: 'id', direction: last?.field === 'started_at' ? last.direction : 'desc' }
}
