import { testSeed, trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { forEachAtOnce } from '../evaluations/run/run-rows.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'
import { plainResults } from './testing/plain-results.ts'
import {
  datasetRows,
  type PlannedEvaluations,
  type PlannedExample,
  randomEvaluations,
  randomRequest,
  type RandomRequest,
} from './testing/random-evaluations.ts'
import { prices, recordEvaluations, type RecordedEvaluation } from './testing/record-evaluations.ts'

/** Requests of each recorded project. */
const requestsOfProject = 10
const projectsAtOnce = 25
const requestsAtOnce = 4
const projects = trials({ usual: 1, long: 500 })
const seed = testSeed()

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Json = Record<string, unknown>

/** Stores the dataset; the reference to each of its rows, and to one that is not stored. */
async function storeDataset(project_id: string) {
  const { row_digests } = await app.client.tables.create({ table: { project_id, rows: datasetRows } })
  const toRef = (digest: string) => `weave:///${project_id}/object/ds:${'d'.repeat(43)}/attr/rows/id/${digest}`
  const toExample = (example: PlannedExample): unknown => {
    if ('inline' in example) return example.inline
    return toRef(example.ref === 'unknown' ? 'u'.repeat(43) : row_digests[example.ref]!)
  }
  return { toExample, stored: new Map(row_digests.map((digest, at) => [digest, datasetRows[at] as unknown])) }
}

function toBody(request: RandomRequest, ids: readonly string[]): Json {
  const { evaluations, sort_by, filters, ...rest } = request
  const idAt = (place: number | null) => (place === null ? null : (ids[place] ?? 'unknown'))
  return {
    ...rest,
    evaluation_call_ids: evaluations.map(idAt),
    sort_by: sort_by.map(({ scope, ...key }) => ({ ...key, evaluation_call_id: idAt(scope) })),
    filters: filters.map(({ scope, $expr }) => ({ query: { $expr }, evaluation_call_id: idAt(scope) })),
  }
}

/** The request with one place for all evaluations that are not known: they are named alike, and so are one, also in the groups of filters. */
function mergeUnknown(request: RandomRequest, known: number): RandomRequest {
  const placeOf = (index: number) => Math.min(index, known)
  const scoped = <T extends { scope: number | null }>(one: T): T => ({ ...one, scope: one.scope === null ? null : placeOf(one.scope) })
  return {
    ...request,
    evaluations: [...new Set(request.evaluations.map(placeOf))],
    sort_by: request.sort_by.map(scoped),
    filters: request.filters.map(scoped),
  }
}

/** Sums of fractions may differ in their last digit. */
const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, part: unknown) => (typeof part === 'number' ? Number(part.toFixed(9)) : part))

interface RecordedPlan {
  project_id: string
  /** Rows of the dataset by digest. */
  stored: ReadonlyMap<string, unknown>
  evaluations: readonly RecordedEvaluation[]
}

/** Records planned evaluations in a project of their own. */
async function recordPlan(plan: PlannedEvaluations): Promise<RecordedPlan> {
  const project_id = app.newProject()
  await app.client.costs.create({ project_id, costs: prices })
  const { toExample, stored } = await storeDataset(project_id)
  const { writes, evaluations } = recordEvaluations(plan, { project_id, examples: plan.examples.map(toExample) })
  expect(await sendRaw(app, { path: '/call/upsert_batch', body: { batch: writes } })).toMatchObject({ status: 200 })
  return { project_id, stored, evaluations }
}

async function compareAnswers({ project_id, stored, evaluations }: RecordedPlan, request: RandomRequest) {
  const ids = evaluations.map(({ id }) => id)
  const own = mergeUnknown(request, ids.length)
  const distinct = own.evaluations.map((place): RecordedEvaluation => evaluations[place] ?? { id: newId(), trials: [] })
  const body = toBody(own, ids)
  const answer = await sendRaw(app, { path: `/v2/${project_id}/eval_results/query`, body })
  const expected = plainResults({ evaluations: distinct, stored }, own)
  expect({ status: answer.status, body: rounded(answer.body) }, JSON.stringify(body)).toMatchObject({
    status: 200,
    body: rounded(expected) as Json,
  })
}

test(`random evaluations are answered as a plain computation answers them (seed ${seed})`, { timeout: 3_600_000 }, async () => {
  const plans = fc.sample(randomEvaluations, { numRuns: projects, seed })
  const requests = fc.sample(randomRequest, { numRuns: projects * requestsOfProject, seed })
  let compared = 0
  // Recorded in blocks: after a write the next read waits until it is in its table.
  for (let start = 0; start < plans.length; start += projectsAtOnce) {
    const block = plans.slice(start, start + projectsAtOnce)
    const recorded: RecordedPlan[] = []
    await forEachAtOnce(block.entries(), requestsAtOnce, async ([at, plan]) => void (recorded[at] = await recordPlan(plan)))
    const cases = recorded.flatMap((project, at) => {
      const first = (start + at) * requestsOfProject
      return requests.slice(first, first + requestsOfProject).map((request) => ({ project, request }))
    })
    await forEachAtOnce(cases, requestsAtOnce, ({ project, request }) => compareAnswers(project, request))
    compared += cases.length
  }
  expect(compared).toBe(projects * requestsOfProject)
})
