import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aFeedback, callRef, equals, type FeedbackInput } from '../../../contract-tests/testing/feedback-builders.ts'
import { sendRaw } from '../../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'

let app: TestApp
let project_id: string
let spec: string
let openSpec: string
let thing: string
beforeAll(async () => {
  app = await startTestApp()
  project_id = app.newProject()
  spec = await publish('grade', { field_schema: { type: 'integer', minimum: 1, maximum: 5 } }, 'AnnotationSpec')
  openSpec = await publish('open', {}, 'AnnotationSpec')
  thing = await publish('thing', { a: 1 })
})
afterAll(() => app.close())

const post = (path: string, body: unknown) => sendRaw(app, { path, body })
const create = (over: Partial<FeedbackInput>) => post('/feedback/create', aFeedback({ project_id, ...over }))

/** Publishes an object and gives its ref. */
async function publish(object_id: string, val: object, builtin_object_class?: string): Promise<string> {
  const { digest } = await app.client.objects.create({ obj: { project_id, object_id, val, builtin_object_class } })
  return `weave:///${project_id}/object/${object_id}:${digest}`
}

const opRef = (name: string) => `weave:///${project_id}/op/${name}:v1`
const objectRef = (name: string) => `weave:///${project_id}/object/${name}:v1`
const call = () => callRef(project_id, 'c')
const runnable = (over: Partial<FeedbackInput> = {}) => ({
  feedback_type: 'wandb.runnable.judge',
  payload: { output: { score: 1 } },
  runnable_ref: opRef('judge'),
  call_ref: call(),
  ...over,
})
const monitored = (over: Partial<FeedbackInput> = {}) => ({
  feedback_type: 'wandb.agent_monitor',
  runnable_ref: opRef('judge'),
  call_ref: call(),
  trigger_ref: objectRef('monitor'),
  ...over,
})

const findAll = async (own: string) => (await app.client.feedback.query({ project_id: own })).result

describe('the row (1)', () => {
  test('holds what was given, who gave it and when; queue, scorer and span fields that hold nothing are left out', async () => {
    const own = app.newProject()
    const before = Date.now()
    const given = aFeedback({ project_id: own, id: 'my-id', creator: 'Ada', payload: { a: [1, null] } })
    const created = await app.client.feedback.create({ ...given, wb_user_id: 'somebody else' })
    expect(created).toEqual({ id: 'my-id', created_at: expect.any(String), wb_user_id: 'tester', payload: { a: [1, null] } })
    expect(Date.parse(created.created_at)).toBeGreaterThanOrEqual(before)
    expect(await findAll(own)).toEqual([
      {
        id: 'my-id',
        project_id: own,
        weave_ref: callRef(own, 'c'),
        creator: 'Ada',
        wb_user_id: 'tester',
        created_at: created.created_at,
        feedback_type: 'quality',
        payload: { a: [1, null] },
        annotation_ref: null,
        runnable_ref: null,
        call_ref: null,
        trigger_ref: null,
      },
    ])
  })

  test('shows scorer and span fields that hold something, and all that are named', async () => {
    const own = app.newProject()
    const scorer = {
      scorer_tags: ['t'],
      scorer_tag_reasons: { t: 'because' },
      scorer_tag_confidences: { t: 0.5 },
      scorer_ratings: { _rating_: 1 },
      scorer_rating_reasons: { _rating_: 'so' },
      scorer_rating_confidences: { _rating_: 0 },
      span_agent_name: 'agent',
      span_agent_version: '2',
      span_conversation_id: 'c1',
      span_trace_id: 't1',
      span_status_code: 'OK',
      scorer_trace_id: 't2',
    }
    await app.client.feedback.create(aFeedback({ project_id: own, ...runnable(scorer) }))
    expect(await findAll(own)).toMatchObject([scorer])
    await app.client.feedback.create(aFeedback({ project_id: own }))
    const fields = Object.keys(scorer)
    expect((await app.client.feedback.query({ project_id: own, fields })).result[1]).toEqual({
      scorer_tags: [],
      scorer_tag_reasons: {},
      scorer_tag_confidences: {},
      scorer_ratings: {},
      scorer_rating_reasons: {},
      scorer_rating_confidences: {},
      span_agent_name: '',
      span_agent_version: '',
      span_conversation_id: '',
      span_trace_id: '',
      span_status_code: 'UNSET',
      scorer_trace_id: '',
    })
  })

  test('keeps the numbers of a payload as they were sent', async () => {
    const own = app.newProject()
    const payload = '{"exact":1.0,"big":12345678901234567890,"e":1e2}'
    const created = await post(
      '/feedback/create',
      JSON.stringify(aFeedback({ project_id: own })).replace('"payload":{}', `"payload":${payload}`),
    )
    expect(created.text).toContain(payload)
    expect((await post('/feedback/query', { project_id: own })).text).toContain(`"payload":${payload}`)
  })

  test('a repeated id is stored once, in one request, in several, and at the same time', async () => {
    const own = app.newProject()
    const item = aFeedback({ project_id: own, id: 'same', payload: { n: 1 } })
    const first = await app.client.feedback.create(item)
    expect(await app.client.feedback.create({ ...item, payload: { n: 2 }, weave_ref: callRef(own, 'other') })).toEqual(first)
    expect(await app.client.feedback.createBatch({ batch: [item, item] })).toEqual({ res: [first, first] })
    const second = { ...item, id: 'second' }
    const answers = await Promise.all([1, 2, 3, 4].map((n) => app.client.feedback.create({ ...second, payload: { n } })))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect((await findAll(own)).map(({ id }) => id)).toEqual(['same', 'second'])
    const elsewhere = app.newProject()
    await app.client.feedback.create({ ...item, project_id: elsewhere, payload: { n: 3 } })
    expect(await findAll(elsewhere)).toMatchObject([{ id: 'same', payload: { n: 3 } }])
  })

  test('two servers over one store keep one row of an id', async () => {
    const own = app.newProject()
    const other = await app.anotherServer()
    const item = aFeedback({ project_id: own, id: 'same' })
    const [one, two] = await Promise.all([app.client.feedback.create(item), other.client.feedback.create(item)])
    expect(two).toEqual(one)
    expect(await findAll(own)).toHaveLength(1)
  })

  test('the target need not be there, and several rows of a type may be on it', async () => {
    const own = app.newProject()
    for (const note of ['one', 'two']) {
      await app.client.feedback.create(aFeedback({ project_id: own, feedback_type: 'wandb.note.1', payload: { note } }))
    }
    expect(await findAll(own)).toHaveLength(2)
  })

  test('references into a project that the reader may not see are hidden', async () => {
    const own = app.newProject()
    const secret = app.newProject()
    await app.client.objects.create({ obj: { project_id: secret, object_id: 'o', val: 1 } })
    const ref = `weave:///${secret}/object/o:v0`
    await app.client.feedback.create(aFeedback({ project_id: own, payload: { ref } }))
    expect(await findAll(own)).toMatchObject([{ payload: { ref } }])
    const client = await app.clientFor({ name: 'guest', role: 'admin', projects: [{ project_id: own, role: 'reader' }] })
    expect((await client.feedback.query({ project_id: own })).result).toMatchObject([
      { payload: { ref: 'weave-private://///object/o:v0' } },
    ])
  })

  test.each([
    ['agent_conversation', 'span_conversation_id'],
    ['agent_turn', 'span_trace_id'],
  ])('on an %s the agent types fill %s from the target', async (kind, field) => {
    const own = app.newProject()
    const weave_ref = `weave:///${own}/${kind}/abc`
    await app.client.feedback.create(aFeedback({ project_id: own, ...monitored({ weave_ref }) }))
    await app.client.feedback.create(
      aFeedback({ project_id: own, feedback_type: 'wandb.agent_user_feedback', scorer_tags: ['t'], weave_ref, [field]: 'abc' }),
    )
    expect(await findAll(own)).toMatchObject([{ [field]: 'abc' }, { [field]: 'abc' }])
  })
})

describe('types (2)', () => {
  test('a reaction gets its names', async () => {
    const answer = await create({ feedback_type: 'wandb.reaction.1', payload: { emoji: '👍🏽', more: 1 } })
    expect(answer.body).toMatchObject({
      payload: {
        emoji: '👍🏽',
        alias: ':thumbs_up_medium_skin_tone:',
        detoned: '👍',
        detoned_alias: ':thumbs_up:',
        more: 1,
      },
    })
  })

  const longNote = (length: number) => ({ feedback_type: 'wandb.note.1', payload: { note: '🙂'.repeat(length) } })
  test.each<[string, () => Partial<FeedbackInput>]>([
    ['a note of 1024 characters', () => longNote(1024)],
    ['a note of one character', () => longNote(1)],
    [
      'an annotation that satisfies its spec',
      () => ({ feedback_type: 'wandb.annotation.grade', payload: { value: 5 }, annotation_ref: spec }),
    ],
    [
      'an annotation of a spec without a schema',
      () => ({ feedback_type: 'wandb.annotation.open', payload: { value: null }, annotation_ref: openSpec }),
    ],
    ['an output of an op', () => runnable()],
    ['an output of an object, without a call', () => runnable({ runnable_ref: objectRef('judge'), call_ref: null })],
    ['an output of an op with a monitor', () => runnable({ trigger_ref: objectRef('monitor') })],
    ['what a monitor found', () => monitored()],
    ['what a user told an agent', () => ({ feedback_type: 'wandb.agent_user_feedback', scorer_tags: ['good'] })],
    ['a type of its own', () => ({ feedback_type: 'anything at all', payload: {} })],
    ['a type of its own that begins like ours', () => ({ feedback_type: 'wandb.agent_monitors' })],
    ['a payload of one MiB', () => ({ payload: { text: 'x'.repeat(1_048_576 - '{"text": ""}'.length) } })],
    ['a target that is not a reference', () => ({ weave_ref: 'anything' })],
  ])('takes %s', async (_, over) => {
    expect(await create(over())).toMatchObject({ status: 200 })
  })

  test.each<[string, () => Partial<FeedbackInput>, string]>([
    ['a reaction without an emoji', () => ({ feedback_type: 'wandb.reaction.1', payload: {} }), 'emoji'],
    ['a reaction of two', () => ({ feedback_type: 'wandb.reaction.1', payload: { emoji: '👍👍' } }), 'exactly one emoji'],
    ['a note of 1025 characters', () => longNote(1025), 'at most 1024'],
    ['an empty note', () => longNote(0), 'note'],
    ['a note that is a number', () => ({ feedback_type: 'wandb.note.1', payload: { note: 1 } }), 'note'],
    [
      'an annotation without its ref',
      () => ({ feedback_type: 'wandb.annotation.grade', payload: { value: 1 } }),
      'annotation_ref is required',
    ],
    [
      'an annotation of another name',
      () => ({ feedback_type: 'wandb.annotation.mark', payload: { value: 1 }, annotation_ref: spec }),
      'needs a annotation_ref to "mark"',
    ],
    [
      'an annotation that its spec does not take',
      () => ({ feedback_type: 'wandb.annotation.grade', payload: { value: 6 }, annotation_ref: spec }),
      'Feedback payload does not match annotation spec',
    ],
    ['an annotation without a value', () => ({ feedback_type: 'wandb.annotation.grade', payload: {}, annotation_ref: spec }), '"value"'],
    [
      'an annotation of an object that is not a spec',
      () => ({ feedback_type: 'wandb.annotation.thing', payload: { value: 1 }, annotation_ref: thing }),
      'not an AnnotationSpec',
    ],
    [
      'an annotation of a spec elsewhere',
      () => ({ feedback_type: 'wandb.annotation.grade', payload: { value: 1 }, annotation_ref: 'weave:///else/where/object/grade:v0' }),
      'must be in the project',
    ],
    ['an output without "output"', () => runnable({ payload: {} }), '"output"'],
    ['an output without its ref', () => runnable({ runnable_ref: null }), 'runnable_ref is required'],
    ['an output of another name', () => runnable({ runnable_ref: opRef('other') }), 'needs a runnable_ref to "judge"'],
    ['an output of an op without a call', () => runnable({ call_ref: null }), 'call_ref is required'],
    ['a monitor without a runnable', () => monitored({ runnable_ref: null }), 'runnable_ref is required'],
    ['a monitor without a call', () => monitored({ call_ref: null }), 'call_ref is required'],
    ['a monitor without a trigger', () => monitored({ trigger_ref: null }), 'trigger_ref is required'],
    ['a user without tags', () => ({ feedback_type: 'wandb.agent_user_feedback' }), 'scorer_tags must not be empty'],
    ['an annotation type without a name', () => ({ feedback_type: 'wandb.annotation' }), 'needs a name'],
    ['an annotation type that continues with another sign', () => ({ feedback_type: 'wandb.annotations' }), 'needs a name'],
    ['a runnable type without a name', () => ({ feedback_type: 'wandb.runnable-x' }), 'needs a name'],
    ['an annotation_ref on another type', () => ({ annotation_ref: spec }), 'annotation_ref is not allowed'],
    ['a runnable_ref on another type', () => ({ runnable_ref: opRef('judge') }), 'runnable_ref is not allowed'],
    ['a call_ref on another type', () => ({ call_ref: call() }), 'call_ref is not allowed'],
    [
      'a trigger_ref on a user',
      () => ({ feedback_type: 'wandb.agent_user_feedback', scorer_tags: ['t'], trigger_ref: objectRef('m') }),
      'not allowed',
    ],
    ['scorer fields on another type', () => ({ scorer_ratings: { _rating_: 1 } }), 'scorer_ratings is not allowed'],
    ['a ref that is none', () => runnable({ runnable_ref: 'judge' }), 'Invalid ref: judge'],
    ['a runnable that is a call', () => runnable({ runnable_ref: call() }), 'Invalid ref'],
    ['a call that is an object', () => runnable({ call_ref: objectRef('x') }), 'Invalid ref'],
    ['a trigger that is an op', () => monitored({ trigger_ref: opRef('x') }), 'Invalid ref'],
    ['a payload above one MiB', () => ({ payload: { text: 'x'.repeat(1_048_577 - '{"text": ""}'.length) } }), 'Feedback payload too large'],
    [
      'a payload above one MiB once it is written in ASCII',
      () => ({ payload: { text: 'ü'.repeat(180_000) } }),
      'Feedback payload too large',
    ],
    ['an unknown queue', () => ({ queue_id: 'q' }), 'annotation queue "q" not found'],
    ['an empty id', () => ({ id: '' }), 'id'],
    [
      'another conversation than the target',
      () => monitored({ weave_ref: 'weave:///e/p/agent_conversation/a', span_conversation_id: 'b' }),
      'span_conversation_id "b"',
    ],
    ['another turn than the target', () => monitored({ weave_ref: 'weave:///e/p/agent_turn/a', span_trace_id: 'b' }), 'span_trace_id "b"'],
    [
      'a trace on a conversation',
      () => monitored({ weave_ref: 'weave:///e/p/agent_conversation/a', span_trace_id: 'a' }),
      'span_trace_id is not allowed',
    ],
  ])('refuses %s', async (_, over, reason) => {
    const answer = await create(over())
    expect(answer).toMatchObject({ status: 400, body: { reason: expect.stringContaining(reason) as string } })
  })

  test('an annotation spec that never was is 404, and a deleted one is 400', async () => {
    const annotation = (ref: string) => create({ feedback_type: 'wandb.annotation.gone', payload: { value: 1 }, annotation_ref: ref })
    expect((await annotation(objectRef('gone'))).status).toBe(404)
    const ref = await publish('gone', {}, 'AnnotationSpec')
    expect((await annotation(ref)).status).toBe(200)
    await app.client.objects.delete({ project_id, object_id: 'gone' })
    expect((await annotation(ref)).status).toBe(400)
  })

  test.each([
    ['a confidence above 1', { scorer_tag_confidences: { t: 1.5 } }],
    ['a rating below 0', { scorer_ratings: { r: -0.1 } }],
    ['a reason that is not text', { scorer_tag_reasons: { t: 1 } }],
    ['a payload that is not an object', { payload: [1] }],
    ['no target', { weave_ref: undefined }],
  ])('%s has not the shape of feedback', async (_, over) => {
    expect((await post('/feedback/create', { ...aFeedback({ project_id, ...runnable() }), ...over })).status).toBe(422)
  })
})

describe('operations (3)', () => {
  test('a batch is stored in order, of several projects too', async () => {
    const [one, two] = [app.newProject(), app.newProject()]
    const batch = [1, 2, 3].map((n) => aFeedback({ project_id: n === 2 ? two : one, payload: { n } }))
    const { res } = await app.client.feedback.createBatch({ batch })
    expect(res.map(({ payload }) => payload)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
    expect((await findAll(one)).map(({ payload }) => payload)).toEqual([{ n: 1 }, { n: 3 }])
    expect((await findAll(two)).map(({ id }) => id)).toEqual([res[1]?.id])
    expect(await app.client.feedback.createBatch({ batch: [] })).toEqual({ res: [] })
  })

  test('one bad item refuses a batch at its place, and nothing of it is stored', async () => {
    const own = app.newProject()
    const bad = [
      { feedback_type: 'wandb.note.1' },
      { feedback_type: 'wandb.annotation.no', payload: { value: 1 }, annotation_ref: `weave:///${own}/object/no:v0` },
      { project_id: 'no slash' },
    ]
    for (const over of bad) {
      const answer = await post('/feedback/batch/create', {
        batch: [aFeedback({ project_id: own }), { ...aFeedback({ project_id: own }), ...over }],
      })
      expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'batch', 1], type: 'value_error' }] } })
    }
    expect(await findAll(own)).toEqual([])
  })

  test('a purge deletes what it names and nothing else', async () => {
    const own = app.newProject()
    const ids = ['a', 'b', 'c', 'd', 'e', 'f']
    await app.client.feedback.createBatch({ batch: ids.map((id) => aFeedback({ project_id: own, id, weave_ref: callRef(own, id) })) })
    const left = async (query: object) => {
      expect(await post('/feedback/purge', { project_id: own, query })).toMatchObject({ status: 200, body: {} })
      return (await findAll(own)).map(({ id }) => id).join('')
    }
    const id = { $getField: 'id' }
    expect(await left(equals('id', 'a'))).toBe('bcdef')
    expect(await left({ $expr: { $eq: [{ $literal: 'b' }, id] } })).toBe('cdef')
    expect(await left({ $expr: { $or: [equals('id', 'c').$expr, equals('id', 'unknown').$expr] } })).toBe('def')
    expect(await left({ $expr: { $in: [id, [{ $literal: 'd' }, { $literal: 'a' }]] } })).toBe('ef')
    expect(await left({ $expr: { $in: [id, []] } })).toBe('ef')
  })

  test.each([
    ['another field', equals('weave_ref', 'x')],
    ['another operator', { $expr: { $gt: [{ $getField: 'id' }, { $literal: 'x' }] } }],
    ['everything else', { $expr: { $not: [equals('id', 'x').$expr] } }],
    ['an id that is not text', equals('id', 1)],
    ['a further condition', { $expr: { $and: [equals('id', 'x').$expr] } }],
    ['one thing of two', { $expr: { $or: [equals('id', 'x').$expr, equals('creator', 'x').$expr] } }],
  ])('a purge by %s is refused', async (_, query) => {
    expect(await post('/feedback/purge', { project_id, query })).toMatchObject({
      status: 400,
      body: { reason: 'Can only purge feedback by specifying one or more feedback ids' },
    })
  })

  test('what was purged may be given again under its id', async () => {
    const own = app.newProject()
    const item = aFeedback({ project_id: own, id: 'again' })
    for (const n of [1, 2, 3]) {
      await app.client.feedback.create({ ...item, payload: { n } })
      expect(await findAll(own)).toMatchObject([{ payload: { n } }])
      await app.client.feedback.purge({ project_id: own, query: equals('id', 'again') })
      expect(await findAll(own)).toEqual([])
    }
  })

  test('a replacement takes the place of the old row, with a new id', async () => {
    const own = app.newProject()
    const old = await app.client.feedback.create(aFeedback({ project_id: own, payload: { n: 1 } }))
    const replaced = await app.client.feedback.replace({ ...aFeedback({ project_id: own, payload: { n: 2 } }), feedback_id: old.id })
    expect(replaced.id).not.toBe(old.id)
    expect(await findAll(own)).toMatchObject([{ id: replaced.id, payload: { n: 2 }, created_at: replaced.created_at }])
  })

  test('a replacement may keep the id, on the same target and on another', async () => {
    const own = app.newProject()
    const item = aFeedback({ project_id: own, id: 'kept' })
    await app.client.feedback.create(item)
    for (const [n, target] of ['c', 'other', 'c'].entries()) {
      const replacement = { ...item, weave_ref: callRef(own, target), payload: { n }, feedback_id: 'kept' }
      await app.client.feedback.replace(replacement)
      expect(await findAll(own)).toMatchObject([{ id: 'kept', weave_ref: callRef(own, target), payload: { n } }])
    }
  })

  test('a repeated replacement with an id stores once, and one of an unknown row only creates', async () => {
    const own = app.newProject()
    const replacement = { ...aFeedback({ project_id: own, id: 'new' }), feedback_id: 'unknown' }
    const first = await app.client.feedback.replace(replacement)
    expect(await app.client.feedback.replace(replacement)).toEqual(first)
    expect(await findAll(own)).toHaveLength(1)
  })

  test('a replacement that is refused leaves the old row', async () => {
    const own = app.newProject()
    const old = await app.client.feedback.create(aFeedback({ project_id: own }))
    const bad = { ...aFeedback({ project_id: own, feedback_type: 'wandb.note.1' }), feedback_id: old.id }
    expect((await post('/feedback/replace', bad)).status).toBe(400)
    expect((await findAll(own)).map(({ id }) => id)).toEqual([old.id])
  })
})
