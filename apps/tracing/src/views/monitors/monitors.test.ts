import { randomUUID } from 'node:crypto'
import { formatTimestamp } from '@heddle/core-api'
import type { Monitor } from '@heddle/core-api/types'
import { systemTiming } from '@heddle/datastore'
import { createJobs, sqlJobsStore } from '@heddle/jobs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { aCall, record } from '../../contract-tests/testing/call-builders.ts'
import { createModelProviders } from '../../providers/model-providers.ts'
import { startTestApp, type TestApp, type TestClient } from '../../testing/start-test-app.ts'
import { micros } from '../../testing/system-micros.ts'
import { sqlMadeByKeysStore } from '../project-keys/made-by-keys-store.sql.ts'
import { isSampled } from './is-sampled.ts'
import { startJudge } from './testing/start-judge.ts'

const jobQueue = `monitors-${randomUUID()}`
const second = 1_000_000
const hour = 3_600 * second
let aheadMicros = 0
const clock = () => micros() + aheadMicros

let app: TestApp
let client: TestClient
let judge: Awaited<ReturnType<typeof startJudge>>
let project_id: string
let place: { entity: string; project: string }

const settings = () => ({ ...judge.service, clock, jobQueue, monitorTimes: { everyMs: 100 } })

beforeAll(async () => {
  judge = await startJudge()
  app = await startTestApp({ service: settings() })
  client = app.client
})
afterAll(async () => {
  await app.close()
  judge.close()
})
beforeEach(() => {
  project_id = app.newProject()
  const [entity = '', project = ''] = project_id.split('/')
  place = { entity, project }
  judge.prompts.length = 0
})
afterEach(async () => {
  for (const { object_id } of await list()) await client.objects.delete({ project_id, object_id, digests: null })
})

const publish = async (object_id: string, val: object) => {
  const { digest } = await client.objects.create({ obj: { project_id, object_id, val } })
  return `weave:///${project_id}/object/${object_id}:${digest}`
}
const classes = (name: string, ...bases: string[]) => ({ _type: name, _class_name: name, _bases: [...bases, 'Object', 'BaseModel'] })
const aScorer = (className = 'ExactMatchScorer', more: object = {}) =>
  publish('exact', { ...classes(className, 'Scorer'), name: 'exact', ...more })
const aMonitor = async (more: object = {}, name = 'watch') =>
  publish(name, { ...classes('Monitor'), name, sampling_rate: 1, scorers: [await aScorer()], op_names: ['ask'], active: true, ...more })
const aJudge = async () => {
  const model = await publish('judge-model', {
    ...classes('LLMStructuredCompletionModel', 'Model'),
    llm_model_id: 'local/judge',
    default_params: { response_format: 'json_object' },
  })
  return aScorer('LLMAsAJudgeScorer', { model, scoring_prompt: 'Judge {output}' })
}

const list = async () => (await client.monitors.list(place)).monitors
const monitor = async (name = 'watch') => (await list()).find(({ object_id }) => object_id === name)

/** Calls that ended now, or some time ago. */
async function ask(
  count = 1,
  { ago = 0, ...more }: { ago?: number; op_name?: string; inputs?: Record<string, unknown> } = {},
): Promise<string[]> {
  const at = clock() - ago
  const calls = Array.from({ length: count }, () =>
    aCall({
      project_id,
      op_name: 'ask',
      inputs: { expected: 'yes' },
      output: 'yes',
      started_at: formatTimestamp(at - second),
      ended_at: formatTimestamp(at),
      ...more,
    }),
  )
  await record(client, ...calls)
  return calls.map(({ id }) => id)
}

/** Lets time pass until all calls that were written are old enough, and waits for what the monitor shows, and until its scores have their feedback. */
async function shows(expected: Partial<Monitor>, name = 'watch') {
  aheadMicros += 20 * second
  await vi.waitFor(async () => expect(await monitor(name)).toMatchObject({ pending: 0, ...expected }), { timeout: 60_000, interval: 50 })
}
/** Lets a monitor look at everything that was written until now. */
async function looks(name = 'watch') {
  const until = clock()
  aheadMicros += 20 * second
  await vi.waitFor(async () => expect(Date.parse((await monitor(name))?.watermark ?? '') * 1000).toBeGreaterThanOrEqual(until), {
    timeout: 60_000,
    interval: 50,
  })
}
const scoredIds = async () =>
  (await client.feedback.query({ project_id })).result.map(({ weave_ref }) => weave_ref?.split('/').at(-1)).sort()

describe('an active monitor', () => {
  test('scores new calls of its ops, and reports it in feedback and in attributes', async () => {
    const ref = await aMonitor()
    const [first = '', other = ''] = [...(await ask()), ...(await ask(1, { op_name: `weave:///${project_id}/op/ask:abc` }))]
    await ask(1, { op_name: 'another' })
    await shows({ scored: 2, pending: 0, sampled: 2, skipped: 0, failed: 0, error: null, active: true, ref })
    const { result } = await client.feedback.query({ project_id })
    expect(result).toHaveLength(2)
    for (const feedback of result)
      expect(feedback).toMatchObject({ feedback_type: 'wandb.runnable.exact', trigger_ref: ref, payload: { output: { match: true } } })
    expect(await scoredIds()).toEqual([first, other].sort())
    const { calls } = await client.calls.query({ project_id })
    const marks = calls.map(({ attributes }) => attributes['weave']).filter((weave) => weave !== undefined)
    expect(marks).toHaveLength(2)
    for (const mark of marks) expect(mark).toMatchObject({ score: 'true', monitor: 'watch', monitor_ref: ref })
  })

  const plainQuery = { $expr: { $eq: [{ $getField: 'inputs.kind' }, { $literal: 'a' }] } }
  const ofClass = (name: string, fields: object) => ({ _type: name, ...fields, _class_name: name, _bases: ['BaseModel'] })
  const operands = [ofClass('GetFieldOperator', { $getField: 'inputs.kind' }), ofClass('LiteralOperation', { $literal: 'a' })]
  const queryOfClasses = ofClass('Query', { $expr: ofClass('EqOperation', { $eq: operands }) })
  test.each([
    ['query', plainQuery],
    ['query of instances of classes', queryOfClasses],
  ])('scores the calls that its %s matches', async (_what, query) => {
    await aMonitor({ op_names: [], query })
    const wanted = await ask(2, { inputs: { kind: 'a', expected: 'yes' } })
    await ask(3, { inputs: { kind: 'b' } })
    await shows({ scored: 2, pending: 0, sampled: 2 })
    expect(await scoredIds()).toEqual(wanted.sort())
  })

  test('chooses a share of the calls that follows from their ids', async () => {
    await aMonitor({ sampling_rate: 0.3 })
    const ids = await ask(60)
    const chosen = ids.filter((id) => isSampled(`${project_id}/watch`, id, 0.3))
    await shows({ scored: chosen.length, sampled: chosen.length, skipped: 60 - chosen.length, pending: 0 })
    expect(await scoredIds()).toEqual(chosen.sort())
  })

  test('leaves calls that ended before its activation, also where they change or arrive after it', async () => {
    const [old = ''] = await ask(1, { ago: hour })
    await aMonitor()
    const [fresh = ''] = await ask()
    await ask(1, { ago: hour })
    await client.calls.update({ project_id, call_id: old, display_name: 'renamed' })
    await shows({ scored: 1, pending: 0 })
    await looks()
    expect(await scoredIds()).toEqual([fresh])
  })

  test('scores a call that arrives an hour after its end', async () => {
    await aMonitor()
    await ask()
    await shows({ scored: 1 })
    aheadMicros += 3 * hour
    await looks()
    const [late = ''] = await ask(1, { ago: hour })
    await shows({ scored: 2 })
    expect(await scoredIds()).toContain(late)
  })

  test('scores a call once, though it changes after its end', async () => {
    await aMonitor()
    const [id = ''] = await ask()
    await shows({ scored: 1 })
    await client.calls.update({ project_id, call_id: id, display_name: 'renamed' })
    await looks()
    await client.feedback.query({ project_id })
    expect(await monitor()).toMatchObject({ scored: 1, pending: 0 })
    expect(await scoredIds()).toEqual([id])
  })

  test('of every op never scores scores, or what its judge was asked', async () => {
    await aMonitor({ op_names: [], scorers: [await aJudge()] })
    await ask(2)
    await shows({ scored: 2, pending: 0 })
    for (let times = 0; times < 2; times++) await looks()
    expect(await monitor()).toMatchObject({ scored: 2, sampled: 2, pending: 0 })
    expect(judge.prompts).toEqual(['Judge yes', 'Judge yes'])
  })

  test('shows the tokens of its judge and what they cost', async () => {
    const tiers = [{ above_input_tokens: 25, prompt_token_cost: 0.75 }]
    await client.costs.create({ project_id, costs: { 'local/judge': { prompt_token_cost: 0.5, completion_token_cost: 2, tiers } } })
    await aMonitor({ scorers: [await aJudge()] })
    await ask(3)
    await shows({
      scored: 3,
      prompt_tokens: 90,
      completion_tokens: 30,
      total_cost: 3 * (30 * 0.75 + 10 * 2),
      priced_as: [],
      reported_uses: 0,
    })
  })

  test('counts a score that fails, and continues', async () => {
    await aMonitor()
    await ask(2, { inputs: {} })
    await ask()
    await shows({ scored: 1, failed: 2, pending: 0 })
  })

  test('that is switched off scores nothing, and scores what ends from when it is switched on again', async () => {
    await aMonitor()
    await ask()
    await shows({ scored: 1 })
    await aMonitor({ active: false })
    await shows({ active: false, watermark: null, activated_at: null, scored: 1 })
    const off = await ask(2)
    aheadMicros += 600 * second
    await aMonitor()
    const [on = ''] = await ask()
    await shows({ active: true, scored: 2, pending: 0 })
    await looks()
    const scored = await scoredIds()
    expect(scored).toContain(on)
    for (const id of off) expect(scored).not.toContain(id)
  })

  test('that is deleted is no longer shown, and one of its name starts from the beginning', async () => {
    await aMonitor({ sampling_rate: 0 })
    await ask(4)
    await shows({ skipped: 4, scored: 0 })
    await client.objects.delete({ project_id, object_id: 'watch', digests: null })
    expect(await list()).toEqual([])
    const stored = () => app.stores.database.selectFrom('monitors').selectAll().where('project_id', '=', project_id).execute()
    await vi.waitFor(async () => expect(await stored()).toEqual([]), { timeout: 60_000 })
    await aMonitor()
    await ask()
    await shows({ skipped: 0, scored: 1 })
  })

  test('waits while the queue of its project is full, and then scores what came meanwhile', async () => {
    const project = await app.identity.openForWork(project_id, { caller: 'test', signal: new AbortController().signal })
    const store = sqlJobsStore({ database: app.stores.database, queue: jobQueue })
    const jobs = createJobs({ store, clock, timing: systemTiming, newId: randomUUID, log: { info: () => {}, error: () => {} } })
    const others = await jobs.enqueueAll(
      project,
      Array.from({ length: 1_000 }, (_, payload) => ({ kind: 'nobody_runs_this', payload })),
    )
    await aMonitor()
    const ids = await ask(3)
    await shows({ error: expect.stringMatching(/^1000 jobs of the project wait/) as string, sampled: 0 })
    for (const { job } of others.slice(0, 2)) await jobs.cancel(project, job.id)
    await shows({ error: null, scored: 3, pending: 0 })
    expect(await scoredIds()).toEqual(ids.sort())
  })
})

describe('a monitor that ended with its key', () => {
  const end = async (ref: string) => {
    const made = {
      kind: 'monitor' as const,
      project_id,
      id: ref.split(':').at(-1) ?? '',
      name: 'watch',
      key_id: 'k',
      created_by: 'u',
      created_at: 0,
    }
    await sqlMadeByKeysStore(app.stores.database, () => Date.now() * 1_000).end([made])
  }

  test('scores nothing more, until another version of it is published', async () => {
    await end(await aMonitor())
    await expect
      .poll(async () => monitor())
      .toMatchObject({ active: false, error: expect.stringMatching(/switched off with the key/) as string })
    await aMonitor({ description: 'another' })
    const ids = await ask(2)
    await shows({ error: null, scored: 2, pending: 0 })
    expect(await scoredIds()).toEqual(ids.toSorted())
  })
})

describe('two servers', () => {
  test('score each call once, also where one of them stops', async () => {
    const another = await app.anotherServer({ ...settings(), sharesStore: true, monitorTimes: { everyMs: 250, settleMs: 10_000 } })
    await aMonitor({ scorers: [await aJudge()] })
    const ids = await ask(8)
    aheadMicros += 20 * second
    await vi.waitFor(() => expect(judge.prompts.length).toBeGreaterThan(2), { timeout: 60_000, interval: 5 })
    await another.service.close()
    const more = await ask(8)
    await shows({ scored: 16, sampled: 16, pending: 0, failed: 0 })
    expect(await scoredIds()).toEqual([...ids, ...more].sort())
    expect((await client.calls.query({ project_id })).calls).toHaveLength(16 * 3)
  })
})

describe('settings that a server cannot follow', () => {
  test.each<[string, () => Promise<object> | object, RegExp]>([
    ['a sampling rate above 1', () => ({ sampling_rate: 1.5 }), /sampling_rate must be a number from 0 to 1, got 1.5/],
    ['no scorers', () => ({ scorers: [] }), /scorers is empty/],
    ['a scorer that is not a reference', () => ({ scorers: ['exact'] }), /names "exact", which is not a reference/],
    ['ops that are not texts', () => ({ op_names: [1] }), /op_names must be a list of texts, and has 1/],
    ['a query without an expression', () => ({ query: { a: 1 } }), /query is not a valid query/],
    ['debounced scores', () => ({ scorer_debounce_config: { timeout_seconds: 1 } }), /scorer_debounce_config is not supported/],
    ['merged prompts', () => classes('ClassifierMonitor', 'Monitor'), /objects of class ClassifierMonitor do not run on the server/],
  ])('such as %s are shown as the error of the monitor', async (_what, make, error) => {
    await aMonitor(await make())
    expect(await monitor()).toMatchObject({ active: false, error: expect.stringMatching(error) as string, sampled: 0 })
  })

  test.each<[string, () => Promise<string>, RegExp]>([
    ['is not there', async () => `weave:///${project_id}/object/none:latest`, /not found/],
    ['has code', () => aScorer('OwnScorer'), /scorers of class OwnScorer do not run on the server/],
    ['is in another project', async () => 'weave:///other/project/object/x:latest', /another project/],
  ])('a scorer that %s is shown when calls come, which are scored once it is fixed', async (_what, make, error) => {
    await aMonitor({ scorers: [await make()] })
    const [id = ''] = await ask()
    await shows({ active: true, error: expect.stringMatching(error) as string, sampled: 0 })
    await aMonitor()
    await shows({ error: null, scored: 1, pending: 0 })
    expect(await scoredIds()).toEqual([id])
  })
})

describe('the list of monitors', () => {
  test('is by name, in pages, with those that are inactive', async () => {
    for (const name of ['c', 'a', 'b']) await aMonitor({ active: false }, name)
    expect((await list()).map(({ object_id, active }) => [object_id, active])).toEqual(['a', 'b', 'c'].map((name) => [name, false]))
    const { monitors } = await client.monitors.list({ ...place, limit: 1, offset: 1 })
    expect(monitors).toMatchObject([
      { object_id: 'b', sampling_rate: 1, op_names: ['ask'], activated_at: null, watermark: null, error: null },
    ])
  })

  test.each([{ limit: 0 }, { limit: 1_001 }, { offset: -1 }])('of %j is refused', async (page) => {
    await expect(client.monitors.list({ ...place, ...page })).rejects.toMatchObject({ status: 400 })
  })

  test('is there without a model provider, where no monitor works', async () => {
    const server = await app.anotherServer({ ...settings(), providers: createModelProviders([], undefined) })
    await aMonitor({ active: false })
    expect(await server.client.monitors.list(place)).toMatchObject({ monitors: [{ object_id: 'watch', active: false }] })
  })

  test('holds monitors of the project alone', async () => {
    await aMonitor()
    const [entity = '', project = ''] = app.newProject().split('/')
    expect(await client.monitors.list({ entity, project })).toEqual({ monitors: [] })
  })
})
