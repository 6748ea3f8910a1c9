import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCall, findCalls, record } from '../../contract-tests/testing/call-builders.ts'
import { aFeedback, callRef, equals, type FeedbackInput } from '../../contract-tests/testing/feedback-builders.ts'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const post = (path: string, body: unknown) => sendRaw(app, { path, body })
type Given = Partial<FeedbackInput>

/** A project with feedback that was given in this order; ids are `a`, `b`, `c` … unless they are named. */
async function withFeedback(...given: Given[]): Promise<string> {
  const project_id = app.newProject()
  const batch = given.map((over, index) => aFeedback({ project_id, id: String.fromCharCode(97 + index), ...over }))
  await app.client.feedback.createBatch({ batch })
  return project_id
}

type Query = Omit<Parameters<TestApp['client']['feedback']['query']>[0], 'project_id'>

/** Ids that a query finds, in order. */
async function idsOf(project_id: string, query: Query = {}): Promise<string> {
  return (await app.client.feedback.query({ project_id, ...query })).result.map(({ id }) => id).join('')
}

const field = (name: string) => ({ $getField: name })
const literal = (value: unknown) => ({ $literal: value })
const judged = (over: Given = {}): Given => ({
  feedback_type: 'wandb.agent_user_feedback',
  scorer_tags: ['t'],
  ...over,
})

describe('query (3)', () => {
  test('finds all in the order of creation, and counts them whatever the limit and the offset', async () => {
    const project = await withFeedback({ id: 'z' }, { id: 'y' }, { id: 'x' })
    expect(await idsOf(project)).toBe('zyx')
    expect(await app.client.feedback.query({ project_id: project, limit: 1, offset: 1 })).toMatchObject({
      result: [{ id: 'y' }],
      total_count: 3,
    })
    expect(await app.client.feedback.query({ project_id: project, limit: 0 })).toEqual({ result: [], total_count: 3 })
    expect(await app.client.feedback.query({ project_id: app.newProject() })).toEqual({ result: [], total_count: 0 })
  })

  test('fields are keyed by their names; a path in the payload is its text', async () => {
    const payload = { note: 'n', number: 1.5, flag: true, list: [1, 'x'], object: { a: 1 }, none: null, 'dotted.key': 'd' }
    const project = await withFeedback({ payload, ...judged({ scorer_ratings: { r: 0.5, 'x.y': 1 }, scorer_tag_reasons: { t: 'why' } }) })
    const wanted = {
      'payload.note': 'n',
      'payload.number': '1.5',
      'payload.flag': 'true',
      'payload.list': '[1,"x"]',
      'payload.list.1': 'x',
      'payload.object': '{"a":1}',
      'payload.none': '',
      'payload.missing': '',
      'payload.dotted\\.key': 'd',
      'scorer_ratings.r': 0.5,
      'scorer_ratings.x.y': 1,
      'scorer_ratings.none': null,
      'scorer_tag_reasons.t': 'why',
      id: 'a',
      payload,
    }
    expect((await app.client.feedback.query({ project_id: project, fields: Object.keys(wanted) })).result).toEqual([wanted])
    expect((await app.client.feedback.query({ project_id: project, fields: [] })).result).toMatchObject([{ id: 'a', payload }])
  })

  test('many targets are requested at once', async () => {
    const project = await withFeedback()
    const batch = Array.from({ length: 1_000 }, (_, index) => aFeedback({ project_id: project, weave_ref: callRef(project, `c${index}`) }))
    await app.client.feedback.createBatch({ batch })
    const refs = batch.map(({ weave_ref }) => weave_ref)
    const $in = (some: readonly string[]) => ({ $expr: { $in: [field('weave_ref'), some.map(literal)] } })
    expect(await app.client.feedback.query({ project_id: project, query: $in(refs), limit: 1 })).toMatchObject({ total_count: 1_000 })
    expect(await app.client.feedback.query({ project_id: project, query: $in([...refs.slice(0, 3), 'other']) })).toMatchObject({
      total_count: 3,
    })
  })

  test.each<[string, object, string]>([
    ['a type', equals('feedback_type', 'wandb.note.1'), 'a'],
    ['a creator', equals('creator', 'Ada'), 'b'],
    ['no creator', equals('creator', null), 'acd'],
    ['no runnable', equals('runnable_ref', null), 'abd'],
    ['a runnable', { $expr: { $not: [equals('runnable_ref', null).$expr] } }, 'c'],
    ['the user', equals('wb_user_id', 'tester'), 'abcd'],
    ['a text in the payload', equals('payload.note', 'first'), 'a'],
    ['a missing path, which reads as empty text', equals('payload.note', ''), 'bcd'],
    ['null in the payload, which nothing is', equals('payload.note', null), ''],
    ['what exists in the payload', { $expr: { $and: [{ $convert: { input: field('payload.score'), to: 'exists' } }] } }, 'bc'],
    ['an integer', equals('payload.score', 3), 'b'],
    ['a number', { $expr: { $gt: [field('payload.score'), literal(3.2)] } }, 'c'],
    ['a boolean', equals('payload.ok', true), 'b'],
    [
      'a part of the whole payload',
      { $expr: { $contains: { input: field('payload'), substr: literal('FIRST'), case_insensitive: true } } },
      'a',
    ],
    ['a rating', { $expr: { $gte: [field('scorer_ratings.r'), literal(0.5)] } }, 'd'],
    ['no rating', equals('scorer_ratings.r', null), 'abc'],
    ['a reason', equals('scorer_tag_reasons.tag', 'because'), 'd'],
    ['a whole tag', { $expr: { $contains: { input: field('scorer_tags'), substr: literal('tag') } } }, 'd'],
    ['a part of a tag, which is none', { $expr: { $contains: { input: field('scorer_tags'), substr: literal('ta') } } }, ''],
    [
      'a tag in other letters',
      { $expr: { $contains: { input: field('scorer_tags'), substr: literal('TAG'), case_insensitive: true } } },
      'd',
    ],
    ['a number of tags', { $expr: { $eq: [{ $size: field('scorer_tags') }, literal(2)] } }, 'd'],
    ['an agent', equals('span_agent_name', 'agent'), 'd'],
    ['a status', equals('span_status_code', 'UNSET'), 'abcd'],
    ['a time as a number', { $expr: { $gt: [field('created_at'), literal(1e9)] } }, 'abcd'],
    ['a time as text', { $expr: { $lt: [field('created_at'), literal('2020-01-01')] } }, ''],
    ['a number against a text column, which never matches', equals('creator', 1), ''],
  ])('finds by %s', async (_, query, ids) => {
    const project = await filled
    expect(await idsOf(project, { query: query as Query['query'] })).toBe(ids)
  })
  let filled: Promise<string>
  beforeAll(() => {
    const op = 'weave:///e/p/op/judge:v'
    filled = withFeedback(
      { feedback_type: 'wandb.note.1', payload: { note: 'first' } },
      { creator: 'Ada', payload: { score: 3, ok: true } },
      { feedback_type: 'wandb.runnable.judge', payload: { output: 1, score: 3.5 }, runnable_ref: op, call_ref: callRef('e/p', 'c') },
      judged({
        scorer_tags: ['tag', 'other'],
        scorer_ratings: { r: 0.5 },
        scorer_tag_reasons: { tag: 'because' },
        span_agent_name: 'agent',
      }),
    )
  })

  test('comes in the requested order: payload numbers before texts, what is missing last, equals by creation', async () => {
    const project = await withFeedback(
      { payload: { v: 'text' }, creator: 'x' },
      { payload: { v: 10 } },
      { payload: {}, creator: 'y' },
      { payload: { v: 9 }, creator: 'x' },
    )
    const sorted = (name: string, direction: 'asc' | 'desc') => idsOf(project, { sort_by: [{ field: name, direction }] })
    expect(await sorted('payload.v', 'asc')).toBe('dbac')
    expect(await sorted('payload.v', 'desc')).toBe('bdac')
    expect(await sorted('creator', 'asc')).toBe('adcb')
    expect(await sorted('creator', 'desc')).toBe('cadb')
    expect(await sorted('created_at', 'desc')).toBe('dcba')
    expect(await sorted('id', 'desc')).toBe('dcba')
    expect(await sorted('scorer_ratings.r', 'asc')).toBe('abcd')
  })

  test.each<[string, Query, number, string]>([
    ['an unknown field', { fields: ['payloads'] }, 400, 'Unknown field: payloads'],
    ['an unknown field of a map', { fields: ['scorer_tags.x'] }, 400, 'Unknown field: scorer_tags.x'],
    ['an unknown field of a query', { query: equals('inputs.a', 1) }, 400, 'Unknown field: inputs.a'],
    ['an unknown field of an order', { sort_by: [{ field: 'version', direction: 'asc' }] }, 400, 'Unknown field: version'],
    ['a negative limit', { limit: -1 }, 400, 'Limit must be non-negative'],
    ['a negative offset', { offset: -1 }, 400, 'Offset must be non-negative'],
    ['a time that is none', { query: equals('created_at', 'soon') }, 400, 'time'],
    ['a direction that is none', { sort_by: [{ field: 'id', direction: 'up' as 'asc' }] }, 422, 'direction'],
  ])('refuses %s', async (_, query, status, reason) => {
    const answer = await post('/feedback/query', { project_id: app.newProject(), ...query })
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(reason)
  })
})

describe('feedback of calls', () => {
  /** A project with a call for each name, and what was said of it. */
  async function withCalls(feedback: Record<string, Given[]>): Promise<{ project_id: string; names: Map<string, string> }> {
    const project_id = app.newProject()
    const calls = Object.keys(feedback).map((name) => aCall({ project_id, display_name: name }))
    await record(app.client, ...calls)
    for (const [index, given] of Object.values(feedback).entries()) {
      const weave_ref = callRef(project_id, calls[index]?.id ?? '')
      await app.client.feedback.createBatch({ batch: given.map((over) => aFeedback({ project_id, weave_ref, ...over })) })
    }
    return { project_id, names: new Map(calls.map(({ id, display_name }) => [id, display_name ?? ''])) }
  }

  async function namesOf({ project_id, names }: { project_id: string; names: Map<string, string> }, query: object): Promise<string> {
    return (await findCalls(app.client, { project_id, ...query })).map(({ id }) => names.get(id ?? '')).join('')
  }

  test('include_feedback shows all of it in the order of creation, and an empty list if there is none', async () => {
    const output = { feedback_type: 'wandb.runnable.judge', runnable_ref: 'weave:///e/p/object/judge:v', payload: { output: 1 } }
    const { project_id } = await withCalls({
      a: [
        { payload: { n: 1 }, id: 'z' },
        { ...output, id: 'y', scorer_tags: ['t'] },
      ],
      b: [],
    })
    const [a, b] = await findCalls(app.client, { project_id, include_feedback: true, columns: ['id'] })
    expect(a?.summary?.weave).toMatchObject({
      feedback: [
        { id: 'z', payload: { n: 1 }, wb_user_id: 'tester', runnable_ref: null, scorer_tags: [] },
        { id: 'y', payload: { output: 1 }, runnable_ref: output.runnable_ref, scorer_tags: ['t'] },
      ],
    })
    const shown = a?.summary?.weave as { feedback: object[] } | undefined
    expect(Object.keys(shown?.feedback[0] ?? {}).sort()).toEqual(
      [
        'id feedback_type weave_ref payload creator created_at wb_user_id runnable_ref call_ref trigger_ref annotation_ref',
        'scorer_tags scorer_tag_reasons scorer_tag_confidences scorer_ratings scorer_rating_reasons scorer_rating_confidences',
      ]
        .join(' ')
        .split(' ')
        .sort(),
    )
    expect(b?.summary?.weave).toMatchObject({ feedback: [] })
    const [plain] = await findCalls(app.client, { project_id })
    expect(plain?.summary?.weave).not.toHaveProperty('feedback')
  })

  test('costs and feedback stand beside each other', async () => {
    const project_id = app.newProject()
    const used = aCall({ project_id, summary: { usage: { model: { prompt_tokens: 1 } } } })
    await app.client.costs.create({ project_id, costs: { model: { prompt_token_cost: 1, completion_token_cost: 1 } } })
    await record(app.client, used)
    await app.client.feedback.create(aFeedback({ project_id, weave_ref: callRef(project_id, used.id) }))
    const [call] = await findCalls(app.client, { project_id, include_feedback: true, include_costs: true })
    expect(call?.summary?.weave).toMatchObject({ feedback: [{}], costs: { model: {} } })
  })

  test('feedback on a part of a call or on an object is not that of a call', async () => {
    const { project_id, names } = await withCalls({ a: [] })
    const [id = ''] = names.keys()
    for (const weave_ref of [`${callRef(project_id, id)}/attr/x`, `weave:///${project_id}/object/${id}:v0`])
      await app.client.feedback.create(aFeedback({ project_id, weave_ref, payload: { n: 1 } }))
    const [call] = await findCalls(app.client, { project_id, include_feedback: true })
    expect(call?.summary?.weave).toMatchObject({ feedback: [] })
    expect(await namesOf({ project_id, names }, { query: equals('feedback.[*].payload.n', '1') })).toBe('')
  })

  test('feedback of a deleted call stays', async () => {
    const { project_id, names } = await withCalls({ a: [{}] })
    await app.client.calls.delete({ project_id, call_ids: [...names.keys()] })
    expect(await idsOf(project_id)).not.toBe('')
  })

  describe('in queries of calls (query language 6)', () => {
    let calls: Awaited<ReturnType<typeof withCalls>>
    beforeAll(async () => {
      const output = (name: string, value: unknown, trigger_ref?: string): Given => ({
        feedback_type: `wandb.runnable.${name}`,
        runnable_ref: `weave:///e/p/object/${name}:v1`,
        payload: { output: value },
        ...(trigger_ref !== undefined && { trigger_ref }),
      })
      const note = (text: string): Given => ({ feedback_type: 'wandb.note.1', payload: { note: text } })
      calls = await withCalls({
        a: [
          output('judge', { score: 1 }),
          output('judge', { score: 5 }),
          { feedback_type: 'q', payload: { v: '' } },
          { payload: { v: 'x' } },
        ],
        b: [output('judge', { score: '2.5' }, 'weave:///e/p/object/mon:v'), note('good'), note('bad')],
        c: [output('other', 'yes'), note('')].filter(({ payload }) => payload?.note !== ''),
        d: [],
        e: [{ feedback_type: 'wandb.reaction.1', payload: { emoji: '👍' } }, { payload: { v: 'first' } }, { payload: { v: 'second' } }],
      })
    })
    const judge = 'feedback.[wandb.runnable.judge]'

    test.each<[string, object, string]>([
      ['the newest of a type counts', equals(`${judge}.payload.output.score`, 5), 'a'],
      ['and no older one', equals(`${judge}.payload.output.score`, 1), ''],
      ['a float literal converts the value', { $expr: { $gt: [field(`${judge}.payload.output.score`), literal(2.0001)] } }, 'ab'],
      ['none reads as empty text', equals(`${judge}.payload.output.score`, ''), 'cde'],
      ['null is nothing of such a type', equals(`${judge}.payload.output.score`, null), ''],
      [
        'exists is a text that is not empty',
        { $expr: { $and: [{ $convert: { input: field(`${judge}.payload.output.score`), to: 'exists' } }] } },
        'ab',
      ],
      ['the runnable', equals(`${judge}.runnable_ref`, 'weave:///e/p/object/judge:v1'), 'ab'],
      ['the trigger', equals(`${judge}.trigger_ref`, 'weave:///e/p/object/mon:v'), 'b'],
      ['the whole payload', equals('feedback.[wandb.runnable.other].payload', '{"output":"yes"}'), 'c'],
      ['of any type the first that is not empty', equals('feedback.[*].payload.v', 'x'), 'a'],
      ['of any type the first of several', equals('feedback.[*].payload.v', 'first'), 'e'],
      ['of any type a number is text', equals('feedback.[*].payload.output.score', 5), ''],
      [
        'of any type with a conversion',
        { $expr: { $eq: [{ $convert: { input: field('feedback.[*].payload.output.score'), to: 'double' } }, literal(2.5)] } },
        'b',
      ],
      ['of a repeating type any may be equal', equals('feedback.[wandb.note.1].payload.note', 'good'), 'b'],
      [
        'and any may contain',
        { $expr: { $contains: { input: field('feedback.[wandb.note.1].payload.note'), substr: literal('ad') } } },
        'b',
      ],
      ['null is a call without any', equals('feedback.[wandb.note.1].payload.note', null), 'acde'],
      ['what a type adds', equals('feedback.[wandb.reaction.1].payload.alias', ':thumbs_up:'), 'e'],
      [
        'two of them together',
        {
          $expr: {
            $and: [equals(`${judge}.payload.output.score`, '2.5').$expr, equals('feedback.[wandb.note.1].payload.note', 'bad').$expr],
          },
        },
        'b',
      ],
    ])('%s', async (_, query, names) => {
      expect(await namesOf(calls, { query })).toBe(names)
    })

    test('calls come in the order of their feedback, those without any last', async () => {
      const sorted = (direction: string) =>
        namesOf(calls, {
          sort_by: [
            { field: `${judge}.payload.output.score`, direction },
            { field: 'display_name', direction: 'asc' },
          ],
        })
      expect(await sorted('asc')).toBe('bacde')
      expect(await sorted('desc')).toBe('abcde')
    })

    test('what was purged or replaced counts no more', async () => {
      const own = await withCalls({ a: [{ id: 'x', payload: { v: 1 } }], b: [{ id: 'y', payload: { v: 1 } }] })
      const { project_id } = own
      await app.client.feedback.purge({ project_id, query: equals('id', 'x') })
      await app.client.feedback.replace({ ...aFeedback({ project_id, weave_ref: 'elsewhere' }), feedback_id: 'y' })
      expect(await namesOf(own, { query: equals('feedback.[quality].payload.v', '1') })).toBe('')
      expect(await app.client.calls.queryStats({ project_id, query: equals('feedback.[quality].payload.v', '') })).toMatchObject({
        count: 2,
      })
    })

    test.each([
      ['a missing bracket', 'feedback.quality.payload.v'],
      ['another part', 'feedback.[quality].creator'],
      ['no part', 'feedback.[quality]'],
      ['a path below a ref', 'feedback.[quality].runnable_ref.x'],
    ])('%s is refused', async (_, path) => {
      const answer = await post('/calls/stream_query', { project_id: calls.project_id, query: equals(path, 1) })
      expect(answer).toMatchObject({ status: 422, body: { reason: expect.stringContaining('Invalid feedback field path') as string } })
    })

    test('more than 20 fields of feedback are refused', async () => {
      const query = { $expr: { $and: Array.from({ length: 21 }, (_, index) => equals(`feedback.[quality].payload.v${index}`, 1).$expr) } }
      expect((await post('/calls/stream_query', { project_id: calls.project_id, query })).status).toBe(400)
    })
  })
})
