import { readFileSync } from 'node:fs'
import { parseTimestamp } from '@heddle/core-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aFeedback, callRef, type FeedbackInput } from '../../../contract-tests/testing/feedback-builders.ts'
import { sendRaw } from '../../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'
import { micros } from '../../../testing/system-micros.ts'

interface Vectors {
  feedback: {
    rows: (Pick<FeedbackInput, 'feedback_type' | 'payload'> & { created_at: string })[]
    stats: { request: { metrics: object[] }; response: Answer }[]
    aggregate: { request: object; response: object }[]
  }
}

interface Answer {
  buckets: Record<string, unknown>[]
}

const { feedback } = JSON.parse(readFileSync(new URL('../../../vectors/stats-vectors.json', import.meta.url), 'utf8')) as Vectors

let app: TestApp
/** Time of the server's clock; undefined for the real one. */
let now: number | undefined
let project_id: string
beforeAll(async () => {
  app = await startTestApp({ service: { clock: () => now ?? micros() } })
  project_id = 'e/p'
  for (const { created_at, ...row } of feedback.rows) {
    const isAgent = row.feedback_type === 'wandb.agent_monitor'
    await at(created_at, aFeedback({ ...row, project_id, ...(isAgent && { call_ref: callRef(project_id, 'c') }) }))
  }
})
afterAll(() => app.close())

const post = (path: string, body: unknown) => sendRaw(app, { path, body })

/** Gives feedback at a time of its own. */
async function at(time: string, given: FeedbackInput): Promise<void> {
  now = parseTimestamp(time) ?? 0
  await app.client.feedback.create(given)
  now = undefined
}

/** Feedback of one day, each with its payload at its time. */
async function aDay(entries: [string, FeedbackInput['payload'], Partial<FeedbackInput>?][]): Promise<string> {
  const project = app.newProject()
  for (const [time, payload, over] of entries) await at(`2026-03-01T${time}Z`, aFeedback({ project_id: project, payload, ...over }))
  return project
}

const day = { start: '2026-03-01', end: '2026-03-02', granularity: 86_400 }
const statsOf = async (project: string, over: object) => post('/feedback/stats', { project_id: project, ...day, ...over })

describe('stats (4)', () => {
  const values = { metrics: [{ json_path: 'right', value_type: 'boolean' }] }
  const groupsOf = (answer: { body: unknown }) =>
    (answer.body as Answer).buckets.map(({ group, count, count_true_right }) => [group, count, count_true_right])
  const reaction = (emoji: string): [FeedbackInput['payload'], Partial<FeedbackInput>] => [{ emoji }, { feedback_type: 'wandb.reaction.1' }]
  const scored = (right: boolean, name: string): [FeedbackInput['payload'], Partial<FeedbackInput>] => [
    { right, output: right },
    { feedback_type: `wandb.runnable.${name}`, runnable_ref: `weave:///e/p/object/${name}:v1` },
  ]

  test('a query selects the feedback that counts, and one that the language does not allow is refused', async () => {
    const project = await aDay([
      ['01:00:00', { right: true }],
      ['02:00:00', { right: false, by: 'ada' }],
    ])
    const query = { $expr: { $eq: [{ $getField: 'payload.by' }, { $literal: 'ada' }] } }
    expect(groupsOf(await statsOf(project, { ...values, query }))).toEqual([[undefined, 1, 0]])
    const unknown = { $expr: { $eq: [{ $getField: 'no_such_field' }, { $literal: 1 }] } }
    expect((await statsOf(project, { ...values, query: unknown })).status).toBe(400)
  })

  test('each bucket is split by type, scorer or reaction, the most frequent first, and others are counted', async () => {
    const project = await aDay([
      ['01:00:00', ...reaction('👍')],
      ['02:00:00', ...reaction('👍')],
      ['03:00:00', ...reaction('👎')],
      ['04:00:00', ...scored(true, 'exact')],
      ['05:00:00', ...scored(false, 'exact')],
      ['06:00:00', ...scored(true, 'judge')],
    ])
    expect(groupsOf(await statsOf(project, { ...values, group_by: 'type' }))).toEqual([
      ['wandb.reaction.1', 3, 0],
      ['wandb.runnable.exact', 2, 1],
      ['wandb.runnable.judge', 1, 1],
    ])
    expect(groupsOf(await statsOf(project, { ...values, group_by: 'scorer' }))).toEqual([
      [null, 3, 0],
      ['exact', 2, 1],
      ['judge', 1, 1],
    ])
    const ofReactions = { ...values, group_by: 'reaction', feedback_type: 'wandb.reaction.1', group_limit: 1 }
    const byReaction = await statsOf(project, ofReactions)
    expect(groupsOf(byReaction)).toEqual([['👍', 2, 0]])
    expect(byReaction.body).toMatchObject({ groups_left_out: 1 })
    expect((await statsOf(project, { ...values, group_by: 'user', granularity: 43_200 })).body).toMatchObject({
      buckets: [{ count: 6 }, { count: 0 }],
      groups_left_out: 0,
    })
  })

  test.each(feedback.stats.map(({ request, response }) => [request, response] as const))(
    '%j is answered as recorded',
    async (request, response) => {
      // Averages of empty buckets are 0 in the hosted server, which the contract follows; the recording is of its twin.
      const buckets = response.buckets.map((bucket) => ({
        ...bucket,
        ...('avg_output_score' in bucket && { avg_output_score: bucket.avg_output_score ?? 0 }),
      }))
      expect((await post('/feedback/stats', { project_id, ...request })).body).toEqual({ ...response, buckets })
    },
  )

  test('the range holds its start and not its end, and without an end reaches to now', async () => {
    const project = await aDay([['00:00:00', { v: 1 }]])
    const metrics = [{ json_path: 'v', aggregations: ['sum'] }]
    expect((await statsOf(project, { metrics })).body).toMatchObject({ buckets: [{ sum_v: 1 }] })
    expect((await statsOf(project, { metrics, start: '2026-02-28', end: '2026-03-01' })).body).toMatchObject({ buckets: [{ sum_v: 0 }] })
    now = parseTimestamp('2026-03-01T12:00:00Z')
    expect((await statsOf(project, { metrics, end: null })).body).toMatchObject({ end: '2026-03-01T12:00:00Z', buckets: [{ sum_v: 1 }] })
    now = undefined
  })

  test('the type is exact; a trigger is exact, or every version where it ends in ":*"', async () => {
    const trigger = (name: string) => `weave:///e/p/object/${name}`
    const agent = { feedback_type: 'wandb.agent_monitor', runnable_ref: trigger('s:v'), call_ref: callRef('e/p', 'c') }
    const project = await aDay([
      ['01:00:00', { v: 1 }, { ...agent, trigger_ref: trigger('mon:a') }],
      ['02:00:00', { v: 2 }, { ...agent, trigger_ref: trigger('mon:b') }],
      ['03:00:00', { v: 4 }, { ...agent, trigger_ref: trigger('monitor:a') }],
      ['04:00:00', { v: 8 }, { feedback_type: 'wandb.agent' }],
    ])
    const sumOf = async (over: object) =>
      ((await statsOf(project, { ...over, metrics: [{ json_path: 'v', aggregations: ['sum'] }] })).body as Answer).buckets[0]?.sum_v
    expect(await sumOf({})).toBe(15)
    expect(await sumOf({ feedback_type: 'wandb.agent' })).toBe(8)
    expect(await sumOf({ trigger_ref: trigger('mon:a') })).toBe(1)
    expect(await sumOf({ trigger_ref: trigger('mon:*') })).toBe(3)
  })

  test('every aggregation has its key; without any, the usual ones of the type', async () => {
    const project = await aDay([
      ['01:00:00', { 'a b': { c: 1 }, ok: true, kind: 'x' }],
      ['02:00:00', { 'a b': { c: 4 }, ok: false, kind: 'y' }],
      ['03:00:00', { 'a b': { c: 4 } }],
    ])
    const aggregations = ['sum', 'avg', 'min', 'max', 'count', 'count_true', 'count_false']
    const metrics = [
      { json_path: 'a b.c', aggregations, percentiles: [0, 50, 99.5] },
      { json_path: 'ok', value_type: 'boolean' },
      { json_path: 'kind', value_type: 'categorical' },
    ]
    expect((await statsOf(project, { metrics })).body).toMatchObject({
      buckets: [
        {
          timestamp: '2026-03-01T00:00:00Z',
          count: 3,
          sum_a_b_c: 9,
          avg_a_b_c: 3,
          min_a_b_c: 1,
          max_a_b_c: 4,
          count_a_b_c: 3,
          count_true_a_b_c: 1,
          count_false_a_b_c: 0,
          p0_a_b_c: 1,
          p50_a_b_c: 4,
          'p99.5_a_b_c': 4,
          count_true_ok: 1,
          count_false_ok: 1,
          count_kind: 2,
        },
      ],
      window_stats: { a_b_c: { sum: 9, p50: 4 }, ok: { count_true: 1, count_false: 1 }, kind: { count: 2 } },
    })
  })

  test('values of another type are skipped, and so are missing ones', async () => {
    const values = [1, '2', true, null, [3], { x: 4 }, 12345678901234567890n, 0.5]
    const project = await aDay(
      values.map((v, index) => [`0${index}:00:00`, { ...(v !== null && { v: typeof v === 'bigint' ? Number(v) : v }), other: 1 }]),
    )
    const metrics = (['numeric', 'boolean', 'categorical'] as const).map((value_type) => ({
      json_path: 'v',
      value_type,
      aggregations: ['count'],
    }))
    for (const [index, expected] of [3, 1, 1].entries())
      expect((await statsOf(project, { metrics: [metrics[index]] })).body).toMatchObject({ buckets: [{ count: 8, count_v: expected }] })
  })

  test('every bucket is there, aligned on the clock of the zone, at most 10,000 of them', async () => {
    const metrics = [{ json_path: 'v' }]
    const hours = await statsOf(app.newProject(), { metrics, granularity: 3_600, timezone: 'Europe/Berlin' })
    expect((hours.body as Answer).buckets).toHaveLength(24)
    const days = await statsOf(app.newProject(), { metrics, timezone: 'Europe/Berlin' })
    expect((days.body as Answer).buckets.map((bucket) => bucket.timestamp)).toEqual(['2026-02-28T23:00:00Z', '2026-03-01T23:00:00Z'])
    const autumn = { start: '2026-10-24T22:00:00Z', end: '2026-10-26T23:00:00Z', granularity: 86_400, timezone: 'Europe/Berlin' }
    const longDay = await statsOf(app.newProject(), { metrics, ...autumn })
    expect((longDay.body as Answer).buckets.map((bucket) => bucket.timestamp)).toEqual(['2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'])
    expect((await statsOf(app.newProject(), { metrics, granularity: 1 })).body).toMatchObject({ granularity: 9 })
    expect((await statsOf(app.newProject(), { metrics, granularity: null })).body).toMatchObject({ granularity: 21_600 })
  })

  test('without data stats are 0 or null in buckets, and null over the whole range', async () => {
    const metrics = [{ json_path: 'v', aggregations: ['sum', 'avg', 'count', 'min', 'max'], percentiles: [95] }]
    expect((await statsOf(app.newProject(), { metrics })).body).toMatchObject({
      buckets: [{ count: 0, sum_v: 0, avg_v: 0, count_v: 0, min_v: null, max_v: null, p95_v: null }],
      window_stats: { v: { sum: null, avg: null, count: null, min: null, max: null, p95: null } },
    })
    const empty = { metrics, end: day.start }
    expect((await statsOf(app.newProject(), empty)).body).toMatchObject({ buckets: [], window_stats: { v: { sum: null } } })
  })

  test.each([
    ['an end before the start', { end: '2026-02-28' }, 422],
    ['a range above 31 days', { end: '2026-04-02' }, 422],
    ['a range of 31 days', { end: '2026-04-01' }, 200],
    ['an unknown zone', { timezone: 'Mars/Olympus' }, 400],
    ['a granularity of 0', { granularity: 0 }, 400],
    ['a blank path', { metrics: [{ json_path: ' ' }] }, 400],
    ['a path with another sign', { metrics: [{ json_path: "a'b" }] }, 400],
    ['a percentile above 100', { metrics: [{ json_path: 'v', percentiles: [101] }] }, 400],
    ['percentiles of booleans', { metrics: [{ json_path: 'v', value_type: 'boolean', percentiles: [50] }] }, 400],
    ['an unknown aggregation', { metrics: [{ json_path: 'v', aggregations: ['median'] }] }, 422],
    ['a naive time, which is UTC', { start: '2026-03-01T00:00:00', end: '2026-03-01 10:00:00' }, 200],
  ])('%s', async (_, over, status) => {
    expect((await statsOf(project_id, over)).status).toBe(status)
  })
})

describe('payload_schema (5)', () => {
  const schemaOf = async (project: string, over: object = {}) =>
    (await post('/feedback/payload_schema', { project_id: project, start: day.start, end: day.end, ...over })).body

  test('of each trigger the newest payload counts, and feedback without a trigger is as of one', async () => {
    const trigger_ref = 'weave:///e/p/object/m:v'
    const agent = { feedback_type: 'wandb.agent_monitor', runnable_ref: trigger_ref, call_ref: callRef('e/p', 'c'), trigger_ref }
    const project = await aDay([
      ['01:00:00', { old: 1 }],
      ['02:00:00', { of_trigger: 1 }, agent],
      ['03:00:00', { newer: 'x' }],
    ])
    expect(await schemaOf(project)).toEqual({
      paths: [
        { json_path: 'newer', value_type: 'categorical' },
        { json_path: 'of_trigger', value_type: 'numeric' },
      ],
    })
    expect(await schemaOf(project, { sample_limit: 1 })).toEqual({ paths: [{ json_path: 'newer', value_type: 'categorical' }] })
    expect(await schemaOf(project, { trigger_ref })).toEqual({ paths: [{ json_path: 'of_trigger', value_type: 'numeric' }] })
    expect(await schemaOf(project, { feedback_type: 'quality', end: '2026-03-01T02:30:00' })).toEqual({
      paths: [{ json_path: 'old', value_type: 'numeric' }],
    })
  })

  test.each([
    ['a limit of 0', { sample_limit: 0 }],
    ['a limit above 5000', { sample_limit: 5001 }],
    ['an end before the start', { end: '2026-02-28' }],
    ['a range above 31 days', { end: '2026-04-02' }],
  ])('%s is refused with 422', async (_, over) => {
    expect((await post('/feedback/payload_schema', { project_id, start: day.start, ...over })).status).toBe(422)
  })
})

describe('aggregate (6)', () => {
  const range = { after_ms: Date.UTC(2026, 2, 1), before_ms: Date.UTC(2026, 2, 1, 3) }

  test.each(feedback.aggregate.map(({ request, response }) => [request, response] as const))(
    '%j is answered as recorded',
    async (request, response) => {
      expect((await post('/feedback/aggregate', { project_id, ...request })).body).toEqual(response)
    },
  )

  test('filters by agent, by kind of target and by the range of a rating, and sums of 0 are kept', async () => {
    const judged = { feedback_type: 'wandb.agent_user_feedback', scorer_tags: ['t', 't'] }
    const project = await aDay([
      ['01:00:00', {}, { ...judged, span_agent_name: 'a', weave_ref: 'weave:///e/p/agent_turn/x', scorer_ratings: { _rating_: 0 } }],
      [
        '02:00:00',
        {},
        { ...judged, span_agent_name: 'b', weave_ref: 'weave:///e/p/agent_conversation/x', scorer_ratings: { _rating_: 1 } },
      ],
    ])
    const aggregated = async (over: object) =>
      ((await post('/feedback/aggregate', { project_id: project, ...range, ...over })).body as Answer).buckets
    expect(await aggregated({ span_agent_names: ['a', 'c'] })).toMatchObject([
      { total_count: 1, tag_counts: { t: 1 }, rating_counts: { _rating_: 1 }, rating_sums: { _rating_: 0 } },
    ])
    expect(await aggregated({ span_types: ['agent_conversation'] })).toMatchObject([{ total_count: 1, rating_sums: { _rating_: 1 } }])
    expect(await aggregated({ rating_min: 0, rating_max: 0.5 })).toMatchObject([{ total_count: 1, rating_sums: { _rating_: 0 } }])
    expect(await aggregated({ feedback_types: ['wandb.agent*'], tags: ['t'] })).toMatchObject([{ total_count: 2 }])
    expect(await aggregated({ group_by: ['span_agent_name', 'span_status_code'] })).toMatchObject([
      { group: { span_agent_name: 'a', span_status_code: 'UNSET' } },
      { group: { span_agent_name: 'b', span_status_code: 'UNSET' } },
    ])
    expect(await aggregated({ time_bucket_seconds: 60, tags: ['none'] })).toEqual([])
  })

  test.each([
    ['before_ms that is not greater', { before_ms: range.after_ms }, 422],
    ['a negative time', { after_ms: -1 }, 422],
    ['a bucket of 0 seconds', { time_bucket_seconds: 0 }, 422],
    ['more than 256 buckets', { time_bucket_seconds: 42 }, 422],
    ['a rating above 1', { rating_max: 1.5 }, 422],
    ['an unknown part of groups', { group_by: ['creator'] }, 422],
    ['an unknown kind of target', { span_types: ['call'] }, 422],
    ['a total above 31 days', { after_ms: 0 }, 200],
    ['a filter above 31 days', { after_ms: 0, tags: ['x'] }, 422],
    ['groups above 31 days', { after_ms: 0, group_by: ['scorer_id'] }, 422],
    ['buckets above 31 days', { after_ms: 0, time_bucket_seconds: 86_400 * 365 }, 422],
  ])('%s', async (_, over, status) => {
    expect((await post('/feedback/aggregate', { project_id, ...range, ...over })).status).toBe(status)
  })
})
