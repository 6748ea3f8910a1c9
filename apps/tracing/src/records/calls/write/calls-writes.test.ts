import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCall, anEnd, aStart, findCalls, newId, readCall, record } from '../../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const post = (path: string, body: unknown) => sendRaw(app, { path, body })
const digest = 'A'.repeat(43)

describe('ids (1)', () => {
  test.each([
    ['lower-case UUIDs', { id: '0190a000-0000-7000-8000-00000000000a', trace_id: '0190a000-0000-7000-8000-00000000000b' }],
    ['span ids', { id: '00000000000000af', trace_id: '000000000000000000000000000000af' }],
    ['lower-case text of the length of a span id', { id: 'not-hex-but-fine', trace_id: 'zz000000000000000000000000000000' }],
  ])('%s are taken', async (_, ids) => {
    const project_id = app.newProject()
    expect(await app.client.calls.start({ start: aStart({ project_id, ...ids }) })).toEqual(ids)
    expect(await readCall(app.client, { project_id, id: ids.id })).toMatchObject(ids)
  })

  test('a start without ids gets some, and tells them', async () => {
    const project_id = app.newProject()
    const ids = await app.client.calls.start({ start: aStart({ project_id, id: null, trace_id: null }) })
    const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    expect(ids).toEqual({ id: expect.stringMatching(uuidV7), trace_id: expect.stringMatching(uuidV7) })
    expect(await readCall(app.client, { project_id, id: ids.id })).toMatchObject(ids)
  })

  const wrongStarts: [string, string, unknown][] = [
    ['an upper-case UUID', 'id', '0190A000-0000-7000-8000-00000000000A'],
    ['a UUID without hyphens as a call id', 'id', '0190a00000007000800000000000000a'],
    ['an upper-case span id', 'id', '00000000000000AF'],
    ['an empty id', 'id', ''],
    ['a trace id of 16 characters', 'trace_id', '00000000000000af'],
    ['a parent id of 32 characters', 'parent_id', '000000000000000000000000000000af'],
    ['a plain op name of 129 characters', 'op_name', 'x'.repeat(129)],
    ['a reference to an object as op name', 'op_name', `weave:///e/p/object/o:${digest}`],
    ['a broken reference as op name', 'op_name', 'weave:///e/p/op'],
    ['a display name of 1025 characters', 'display_name', 'x'.repeat(1025)],
    ['a run id without its project', 'wb_run_id', 'run'],
  ]

  test.each(wrongStarts)('%s is 400 in a single start', async (_, field, value) => {
    const project_id = app.newProject()
    const answer = await post('/call/start', { start: { ...aStart({ project_id }), [field]: value } })
    expect(answer).toMatchObject({ status: 400, body: { reason: expect.stringContaining(field) } })
    expect(await findCalls(app.client, { project_id })).toEqual([])
  })

  test.each(wrongStarts)('%s is 422 at its place in a batch, of which nothing is stored', async (_, field, value) => {
    const project_id = app.newProject()
    const wrong = { ...aStart({ project_id }), [field]: value }
    const halves = [
      { mode: 'start', req: { start: aStart({ project_id }) } },
      { mode: 'start', req: { start: wrong } },
    ]
    expect(await post('/call/upsert_batch', { batch: halves })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'batch', 1, 'req', 'start', field] }] },
    })
    const whole = [aCall({ project_id }), { ...aCall({ project_id }), [field]: value }]
    expect(await post(`/v2/${project_id}/calls/complete`, { batch: whole })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'batch', 1, field] }] },
    })
    expect(await findCalls(app.client, { project_id })).toEqual([])
  })

  test('a malformed project is 400 alone, and 422 at its place in a batch', async () => {
    const good = app.newProject()
    expect(await post('/call/start', { start: aStart({ project_id: 'nowhere' }) })).toMatchObject({ status: 400 })
    expect(await post('/call/end', { end: anEnd({ project_id: 'a/b/c', id: newId() }) })).toMatchObject({ status: 400 })
    const halves = [{ req: { start: aStart({ project_id: good }) } }, { req: { end: anEnd({ project_id: 'nowhere', id: newId() }) } }]
    expect(await post('/call/upsert_batch', { batch: halves })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'batch', 1, 'req', 'end', 'project_id'] }] },
    })
    const whole = [aCall({ project_id: good }), aCall({ project_id: 'nowhere' })]
    expect(await post(`/v2/${good}/calls/complete`, { batch: whole })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'batch', 1, 'project_id'] }] },
    })
    expect(await findCalls(app.client, { project_id: good })).toEqual([])
  })

  test('an id of an end is checked like that of a start', async () => {
    const project_id = app.newProject()
    expect(await post('/call/end', { end: anEnd({ project_id, id: 'X' }) })).toMatchObject({ status: 400 })
    expect(await post('/call/upsert_batch', { batch: [{ req: { end: anEnd({ project_id, id: 'X' }) } }] })).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'batch', 0, 'req', 'end', 'id'] }] },
    })
  })
})

describe('life of a call (1)', () => {
  test('a parent may be unknown, come later, or be in another trace', async () => {
    const project_id = app.newProject()
    const parent = aCall({ project_id })
    const child = aCall({ project_id, parent_id: parent.id, started_at: '2026-03-01T00:00:01Z' })
    await record(app.client, child, parent)
    await record(app.client, aCall({ project_id, parent_id: newId() }))
    expect(await readCall(app.client, child as { project_id: string; id: string })).toMatchObject({ parent_id: parent.id })
    expect(await findCalls(app.client, { project_id })).toHaveLength(3)
  })

  test('an end without a start is stored and not shown, until the start comes', async () => {
    const project_id = app.newProject()
    const id = newId()
    expect(await app.client.calls.end({ end: anEnd({ project_id, id, output: 'done' }) })).toEqual({})
    expect(await app.client.calls.read({ project_id, id })).toEqual({ call: null })
    expect(await findCalls(app.client, { project_id })).toEqual([])
    expect(await app.client.calls.queryStats({ project_id })).toMatchObject({ count: 0 })
    await app.client.calls.start({ start: aStart({ project_id, id, inputs: { a: 1 } }) })
    expect(await readCall(app.client, { project_id, id })).toMatchObject({
      inputs: { a: 1 },
      output: 'done',
      ended_at: '2026-03-01T00:00:01Z',
    })
  })

  test('a start without an end runs', async () => {
    const project_id = app.newProject()
    const { id } = await app.client.calls.start({ start: aStart({ project_id }) })
    expect(await readCall(app.client, { project_id, id })).toMatchObject({
      ended_at: null,
      output: null,
      summary: { weave: { status: 'running' } },
    })
  })

  test('the hint in an end never overrides the start', async () => {
    const project_id = app.newProject()
    const { id, trace_id } = await app.client.calls.start({ start: aStart({ project_id }) })
    await app.client.calls.end({ end: anEnd({ project_id, id, started_at: '2020-01-01T00:00:00Z', trace_id: newId(), is_eval: true }) })
    expect(await readCall(app.client, { project_id, id })).toMatchObject({ started_at: '2026-03-01T00:00:00Z', trace_id })
  })

  test('the same writes again change nothing and make nothing double', async () => {
    const project_id = app.newProject()
    const start = aStart({ project_id, inputs: { a: 1 } })
    const end = anEnd({ project_id, id: start.id ?? '', output: 2 })
    const batch = [
      { mode: 'start', req: { start } },
      { mode: 'end', req: { end } },
    ]
    await app.client.calls.upsertBatch({ batch })
    const once = await findCalls(app.client, { project_id })
    await app.client.calls.upsertBatch({ batch })
    await app.client.calls.end({ end })
    await app.client.calls.start({ start })
    expect(await findCalls(app.client, { project_id })).toEqual(once)
    expect(once).toHaveLength(1)
  })

  test('the last of two different ends counts', async () => {
    const project_id = app.newProject()
    const { id } = await app.client.calls.start({ start: aStart({ project_id }) })
    for (const output of ['first', 'second']) await app.client.calls.end({ end: anEnd({ project_id, id, output }) })
    expect(await readCall(app.client, { project_id, id })).toMatchObject({ output: 'second' })
  })

  test.each(['start', 'end', 'complete', 'update'] as const)('a late %s does not bring a deleted call back', async (kind) => {
    const project_id = app.newProject()
    const call = aCall({ project_id })
    await record(app.client, call)
    await app.client.calls.delete({ project_id, call_ids: [call.id] })
    if (kind === 'start') await app.client.calls.start({ start: aStart({ project_id, id: call.id, trace_id: call.trace_id }) })
    if (kind === 'end') await app.client.calls.end({ end: anEnd({ project_id, id: call.id }) })
    if (kind === 'complete') await record(app.client, call)
    if (kind === 'update') await app.client.calls.update({ project_id, call_id: call.id, display_name: 'again' })
    expect(await app.client.calls.read({ project_id, id: call.id })).toEqual({ call: null })
    expect(await findCalls(app.client, { project_id })).toEqual([])
  })

  test('both families of writes meet in one storage', async () => {
    const project_id = app.newProject()
    const [entity = '', project = ''] = project_id.split('/')
    const { id } = await app.client.calls.startV2({ entity, project, start: aStart({ project_id }) })
    await app.client.calls.end({ end: anEnd({ project_id, id, output: 1 }) })
    await record(app.client, aCall({ project_id }))
    await app.client.calls.endV2({ entity, project, end: anEnd({ project_id, id, output: 2 }) })
    expect(await readCall(app.client, { project_id, id })).toMatchObject({ output: 2 })
    expect(await findCalls(app.client, { project_id })).toHaveLength(2)
  })
})

describe('what is stored of the records (2)', () => {
  test('every field of both halves comes back', async () => {
    const project_id = app.newProject()
    const call = {
      ...aCall({
        project_id,
        parent_id: newId(),
        display_name: 'shown',
        thread_id: 'th',
        turn_id: 'tu',
        exception: 'boom',
        output: [1, null],
      }),
      started_at: '2026-03-01T00:00:00.000001Z',
      attributes: { weave: { source: 's' }, mine: 1 },
      inputs: { self: {}, arg0: 'x' },
      summary: { mine: true },
      wb_run_id: 'e/p/r',
      wb_run_step: 0,
      wb_run_step_end: 7,
    }
    await record(app.client, call)
    const { ended_at: _, summary: __, ...same } = call
    expect(await readCall(app.client, { project_id, id: call.id })).toEqual({
      ...same,
      ended_at: '2026-03-01T00:00:01Z',
      summary: { mine: true, weave: { status: 'error', display_name: 'shown', latency_ms: 999 } },
      wb_user_id: 'tester',
      deleted_at: null,
      expire_at: null,
      storage_size_bytes: null,
      total_storage_size_bytes: null,
    })
  })

  test('fields that nobody gave are null, and the references and the raw span are not fields', async () => {
    const project_id = app.newProject()
    const { id } = await app.client.calls.start({ start: aStart({ project_id }) })
    const call = await readCall(app.client, { project_id, id })
    const nulls = [
      'display_name',
      'parent_id',
      'thread_id',
      'turn_id',
      'ended_at',
      'exception',
      'output',
      'wb_run_id',
      'wb_run_step',
      'wb_run_step_end',
    ]
    for (const field of nulls) expect(call).toHaveProperty(field, null)
    for (const field of ['wb_username', 'input_refs', 'output_refs', 'otel_dump']) expect(call).not.toHaveProperty(field)
  })

  test.each([
    ['2026-03-01T00:00:00.123456Z', '2026-03-01T00:00:00.123456Z'],
    ['2026-03-01 01:00:00+01:00', '2026-03-01T00:00:00Z'],
    ['2026-03-01T00:00:00.5', '2026-03-01T00:00:00.500000Z'],
    ['2026-03-01', '2026-03-01T00:00:00Z'],
    [1772323200, '2026-03-01T00:00:00Z'],
    [1772323200500, '2026-03-01T00:00:00.500000Z'],
    ['1772323200', '2026-03-01T00:00:00Z'],
  ])('the time %s reads as %s', async (sent, read) => {
    const project_id = app.newProject()
    const { id } = await app.client.calls.start({ start: aStart({ project_id, started_at: sent }) })
    expect(await readCall(app.client, { project_id, id })).toMatchObject({ started_at: read })
  })

  test.each([0, '1970-01-01T00:00:00.000001Z', '1900-01-01', '2200-01-01', '2255-06-05'])(
    'a call of the time %j is found by its order and its range',
    async (started_at) => {
      const project_id = app.newProject()
      const { id } = await app.client.calls.start({ start: aStart({ project_id, started_at }) })
      const { started_at: read } = await readCall(app.client, { project_id, id })
      const query = { $expr: { $eq: [{ $getField: 'started_at' }, { $literal: read }] } }
      expect((await findCalls(app.client, { project_id, query })).map((call) => call.id)).toEqual([id])
      await app.client.calls.end({ end: anEnd({ project_id, id }) })
      expect(await findCalls(app.client, { project_id })).toMatchObject([{ id, started_at: read, ended_at: '2026-03-01T00:00:01Z' }])
    },
  )

  test.each(['yesterday', '', null, true, '2262-04-11T23:47:16Z', '0001-01-01', 1e18])('the time %j is 422', async (started_at) => {
    const answer = await post('/call/start', { start: { ...aStart({ project_id: app.newProject() }), started_at } })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'start', 'started_at'] }] } })
  })

  test('the user is who the key belongs to, whatever the record says', async () => {
    const project_id = app.newProject()
    const { id } = await app.client.calls.start({ start: aStart({ project_id, wb_user_id: 'somebody' }) })
    expect(await readCall(app.client, { project_id, id })).toMatchObject({ wb_user_id: 'tester' })
  })

  test('a raw span comes back inside the attributes', async () => {
    const project_id = app.newProject()
    const { id } = await app.client.calls.start({ start: aStart({ project_id, attributes: { a: 1 }, otel_dump: { name: 'span' } }) })
    expect(await readCall(app.client, { project_id, id })).toMatchObject({ attributes: { a: 1, otel_span: { name: 'span' } } })
  })

  test('an end may lack its output and bring fields that it does not have', async () => {
    const project_id = app.newProject()
    const { id } = await app.client.calls.start({ start: aStart({ project_id, display_name: 'kept' }) })
    expect((await post('/call/end', { end: { ...anEnd({ project_id, id }), display_name: 'ignored' } })).status).toBe(200)
    expect(await readCall(app.client, { project_id, id })).toMatchObject({ display_name: 'kept', output: null })
  })

  test.each<[string, unknown]>([
    ['usage', { usage: null }],
    ['usage.m', { usage: { m: 1 } }],
    ['usage.m.total_tokens', { usage: { m: { total_tokens: 1.5 } } }],
    ['status_counts.done', { status_counts: { done: 1 } }],
  ])('a wrong %s in a summary is 422', async (path, summary) => {
    const project_id = app.newProject()
    const answer = await post('/call/end', { end: { ...anEnd({ project_id, id: newId() }), summary } })
    expect(answer).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', 'end', 'summary', ...path.split('.')] }] } })
  })

  test('counts of a summary become integers, and other keys stay', async () => {
    const project_id = app.newProject()
    const body = `{"end":{"project_id":"${project_id}","id":"00000000000000aa","ended_at":"2026-03-01T00:00:01Z","summary":{"usage":{"m":{"prompt_tokens":"12","total_tokens":2.0,"note":1.0}},"x":1.50}}}`
    expect((await post('/call/end', body)).status).toBe(200)
    await app.client.calls.start({ start: aStart({ project_id, id: '00000000000000aa' }) })
    const { text } = await post('/call/read', { project_id, id: '00000000000000aa' })
    expect(text).toContain('"usage":{"m":{"prompt_tokens":12,"total_tokens":2,"note":1.0}},"x":1.50')
  })
})

describe('batches (3)', () => {
  test('answers come in the order of the batch, and the mode may be absent', async () => {
    const project_id = app.newProject()
    const start = aStart({ project_id })
    const { res } = await app.client.calls.upsertBatch({
      batch: [
        { req: { end: anEnd({ project_id, id: start.id ?? '' }) } },
        { mode: 'start', req: { start } },
        { mode: null, req: { start } },
      ],
    })
    const ids = { id: start.id, trace_id: start.trace_id }
    expect(res).toEqual([{}, ids, ids])
  })

  test('an unknown mode and one that its item contradicts are 400', async () => {
    const project_id = app.newProject()
    const start = aStart({ project_id })
    expect(await post('/call/upsert_batch', { batch: [{ mode: 'other', req: { start } }] })).toMatchObject({
      status: 400,
      body: { reason: 'Invalid mode' },
    })
    expect(await post('/call/upsert_batch', { batch: [{ mode: 'end', req: { start } }] })).toMatchObject({ status: 400 })
    expect(await findCalls(app.client, { project_id })).toEqual([])
  })

  test('empty batches are taken', async () => {
    expect(await app.client.calls.upsertBatch({ batch: [] })).toEqual({ res: [] })
    expect(await app.client.calls.complete({ entity: 'test', project: 'p', batch: [] })).toEqual({})
  })

  test('items of one batch may belong to different projects, also under the path of one', async () => {
    const [one, other] = [app.newProject(), app.newProject()]
    const calls = [aCall({ project_id: one }), aCall({ project_id: other })]
    await record(app.client, ...calls)
    for (const [index, project_id] of [one, other].entries()) {
      expect((await findCalls(app.client, { project_id })).map((call) => call.id)).toEqual([calls[index]?.id])
    }
  })

  test('a batch with one item of a project that is not open to the key stores nothing', async () => {
    const [mine, theirs] = [app.newProject(), app.newProject()]
    const limited = await app.clientFor({ name: 'limited', role: 'writer', projects: [{ project_id: mine, role: 'writer' }] })
    await expect(record(limited, aCall({ project_id: mine }), aCall({ project_id: theirs }))).rejects.toMatchObject({ status: 403 })
    expect(await findCalls(app.client, { project_id: mine })).toEqual([])
  })
})

describe('update (3)', () => {
  test('a call is renamed, and the empty text takes the name away', async () => {
    const project_id = app.newProject()
    const { id } = await app.client.calls.start({ start: aStart({ project_id, display_name: 'one' }) })
    expect(await app.client.calls.update({ project_id, call_id: id, display_name: 'two' })).toEqual({})
    expect(await readCall(app.client, { project_id, id })).toMatchObject({ display_name: 'two' })
    await app.client.calls.update({ project_id, call_id: id, display_name: '' })
    expect(await readCall(app.client, { project_id, id })).toMatchObject({ display_name: null, summary: { weave: { trace_name: 'op' } } })
  })

  test('an update before the start is remembered; the later write wins', async () => {
    const project_id = app.newProject()
    const [named, unnamed] = [newId(), newId()]
    for (const id of [named, unnamed]) await app.client.calls.update({ project_id, call_id: id, display_name: 'early' })
    expect(await findCalls(app.client, { project_id })).toEqual([])
    await app.client.calls.start({ start: aStart({ project_id, id: named, display_name: 'later' }) })
    await app.client.calls.start({ start: aStart({ project_id, id: unnamed }) })
    expect(await readCall(app.client, { project_id, id: named })).toMatchObject({ display_name: 'later' })
    expect(await readCall(app.client, { project_id, id: unnamed })).toMatchObject({ display_name: 'early' })
  })

  test('a repeated start does not undo a rename', async () => {
    const project_id = app.newProject()
    const start = aStart({ project_id, display_name: 'one' })
    const { id } = await app.client.calls.start({ start })
    await app.client.calls.update({ project_id, call_id: id, display_name: 'two' })
    await app.client.calls.start({ start })
    expect(await readCall(app.client, { project_id, id })).toMatchObject({ display_name: 'two' })
  })

  test('an unknown id is fine; a missing, null or long name is 400', async () => {
    const key = { project_id: app.newProject(), call_id: newId() }
    expect(await app.client.calls.update({ ...key, display_name: 'x'.repeat(1024) })).toEqual({})
    for (const display_name of [undefined, null, 'x'.repeat(1025)])
      expect((await post('/call/update', { ...key, display_name })).status).toBe(400)
  })
})

describe('delete (3)', () => {
  test('takes descendants along, of any depth, and counts them', async () => {
    const project_id = app.newProject()
    const trace_id = newId()
    const root = aCall({ project_id, trace_id })
    const child = aCall({ project_id, trace_id, parent_id: root.id })
    const grandchild = aCall({ project_id, trace_id, parent_id: child.id, started_at: '2020-01-01T00:00:00Z' })
    const sibling = aCall({ project_id, trace_id })
    await record(app.client, grandchild, child, root, sibling)
    expect(await app.client.calls.delete({ project_id, call_ids: [child.id] })).toEqual({ num_deleted: 2 })
    expect((await findCalls(app.client, { project_id })).map((call) => call.id).sort()).toEqual([root.id, sibling.id].sort())
    expect(await app.client.calls.read({ project_id, id: grandchild.id })).toEqual({ call: null })
  })

  test('counts distinct requested ids, unknown ones included, when one of them is a live call', async () => {
    const project_id = app.newProject()
    const call = aCall({ project_id })
    await record(app.client, call)
    const unknown = newId()
    expect(await app.client.calls.delete({ project_id, call_ids: [unknown] })).toEqual({ num_deleted: 0 })
    expect(await app.client.calls.delete({ project_id, call_ids: [call.id, call.id, unknown] })).toEqual({ num_deleted: 2 })
    expect(await app.client.calls.delete({ project_id, call_ids: [call.id] })).toEqual({ num_deleted: 0 })
    expect(await app.client.calls.delete({ project_id, call_ids: [] })).toEqual({ num_deleted: 0 })
  })

  test('a deleted call leads to no further descendants', async () => {
    const project_id = app.newProject()
    const trace_id = newId()
    const root = aCall({ project_id, trace_id })
    const child = aCall({ project_id, trace_id, parent_id: root.id })
    await record(app.client, root, child)
    await app.client.calls.delete({ project_id, call_ids: [child.id] })
    const late = aCall({ project_id, trace_id, parent_id: child.id })
    await record(app.client, late)
    expect(await app.client.calls.delete({ project_id, call_ids: [root.id] })).toEqual({ num_deleted: 1 })
    expect((await findCalls(app.client, { project_id })).map((call) => call.id)).toEqual([late.id])
  })

  test('a loop of parents ends', async () => {
    const project_id = app.newProject()
    const [trace_id, one, other] = [newId(), newId(), newId()]
    await record(
      app.client,
      aCall({ project_id, trace_id, id: one, parent_id: other }),
      aCall({ project_id, trace_id, id: other, parent_id: one }),
    )
    expect(await app.client.calls.delete({ project_id, call_ids: [one] })).toEqual({ num_deleted: 2 })
  })

  test('1000 ids are taken, more are 413', async () => {
    const project_id = app.newProject()
    const ids = Array.from({ length: 1001 }, newId)
    expect((await post('/calls/delete', { project_id, call_ids: ids.slice(1) })).status).toBe(200)
    expect(await post('/calls/delete', { project_id, call_ids: ids })).toMatchObject({ status: 413, body: { reason: 'Request too large' } })
  })
})

test('credentials are masked in inputs, attributes and the raw span, and left in output and summary (3)', async () => {
  const project_id = app.newProject()
  const secrets = () => ({
    api_key: 'k',
    'Open-AI-API_Key': 'k',
    deep: [{ authorization: 'k' }],
    access_token: { inner: 'k' },
    client_secret: '',
    token_count: 'k',
    apikey: 1,
  })
  const masked = {
    api_key: 'REDACTED',
    'Open-AI-API_Key': 'REDACTED',
    deep: [{ authorization: 'REDACTED' }],
    access_token: { inner: 'k' },
    client_secret: '',
    token_count: 'k',
    apikey: 1,
  }
  const call = {
    ...aCall({ project_id, output: secrets() }),
    inputs: secrets(),
    attributes: secrets(),
    otel_dump: secrets(),
    summary: secrets(),
  }
  await record(app.client, call)
  const read = await readCall(app.client, { project_id, id: call.id })
  expect(read).toMatchObject({ inputs: masked, output: secrets(), summary: secrets() })
  expect(read.attributes).toEqual({ ...masked, otel_span: masked })
})
