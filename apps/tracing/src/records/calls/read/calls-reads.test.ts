import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { aCall, aStart, findCalls, newId, readCall, record, type CallRecord } from '../../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const post = (path: string, body: unknown) => sendRaw(app, { path, body })
const at = (second: number) => `2026-03-01T00:00:0${second}Z`

/** Three calls of one trace: a root, its child, and a root of another trace, each with a second more. */
async function threeCalls() {
  const project_id = app.newProject()
  const [trace_id, root] = [newId(), newId()]
  const calls = [
    aCall({ project_id, id: root, trace_id, started_at: at(1), inputs: { n: 1, deep: { a: 1 } }, output: 'one', attributes: { x: 1 } }),
    aCall({ project_id, trace_id, parent_id: root, started_at: at(2), inputs: { n: 2 }, exception: 'boom' }),
    aCall({ project_id, started_at: at(3), inputs: { n: 3 }, display_name: 'third' }),
  ]
  await record(app.client, ...calls)
  return { project_id, ids: calls.map((call) => call.id), trace_id }
}

const idsOf = (calls: readonly CallRecord[]) => calls.map((call) => call.id)

describe('a call that is read again', () => {
  test('is shown to each reader as they may see it, no matter who read it before', async () => {
    const [mine, theirs] = [app.newProject(), app.newProject()]
    const ref = `weave:///${theirs}/object/x:1`
    const own = aCall({ project_id: mine, inputs: { ref: `weave:///${mine}/object/x:1` } })
    const call = aCall({ project_id: mine, inputs: { ref } })
    await record(app.client, own, call)
    const limited = await app.clientFor({ name: 'limited', role: 'reader', projects: [{ project_id: mine, role: 'reader' }] })
    const refOf = async (client: typeof app.client) => (await client.calls.read({ project_id: mine, id: call.id })).call?.inputs
    const page = async (client: typeof app.client) =>
      (await findCalls(client, { project_id: mine })).map(({ inputs }) => (inputs as { ref: string }).ref).sort()
    const hidden = ref.replace(`weave:///${theirs}`, 'weave-private:////')
    for (let turn = 0; turn < 2; turn++) {
      expect([await refOf(app.client), await refOf(limited)]).toEqual([{ ref }, { ref: hidden }])
      expect(await page(limited)).toEqual([hidden, `weave:///${mine}/object/x:1`].sort())
      expect(await page(app.client)).toEqual([ref, `weave:///${mine}/object/x:1`].sort())
    }
  })

  test('has what is requested in addition, and only the columns that are requested', async () => {
    const { project_id, ids } = await threeCalls()
    const [id = ''] = ids
    const views: object[] = [
      {},
      { columns: ['inputs'] },
      { include_storage_size: true },
      { include_total_storage_size: true },
      { include_costs: true },
      { include_feedback: true },
      { include_usernames: true },
    ]
    const usage = { 'a-model': { prompt_tokens: 2 } }
    await record(app.client, aCall({ project_id, started_at: at(4), summary: { usage } }))
    await app.client.costs.create({ project_id, costs: { 'a-model': { prompt_token_cost: 0.5, completion_token_cost: 0 } } })
    const weave_ref = `weave:///${project_id}/call/${id}`
    await app.client.feedback.create({ project_id, weave_ref, feedback_type: 'wandb.note.1', payload: { note: 'seen' } })
    const read = async () => {
      const pages: CallRecord[][] = []
      for (const view of views) pages.push(await findCalls(app.client, { project_id, ...view }))
      return pages
    }
    const first = await read()
    expect(await read()).toEqual(first)
    expect(new Set(first.map((page) => JSON.stringify(page))).size).toBe(first.length)
  })
})

describe('call/read (4)', () => {
  test("an unknown, a deleted and another project's call are null", async () => {
    const { project_id, ids } = await threeCalls()
    const [id = '', , other = ''] = ids
    await app.client.calls.delete({ project_id, call_ids: [other] })
    expect(await app.client.calls.read({ project_id, id: newId() })).toEqual({ call: null })
    expect(await app.client.calls.read({ project_id, id: other })).toEqual({ call: null })
    expect(await app.client.calls.read({ project_id: app.newProject(), id })).toEqual({ call: null })
  })

  test('unknown fields are ignored and null flags are off', async () => {
    const { project_id, ids } = await threeCalls()
    const answer = await post('/call/read', {
      project_id,
      id: ids[0],
      include_costs: null,
      include_storage_size: null,
      brand_new: { a: 1 },
    })
    expect(answer).toMatchObject({ status: 200, body: { call: { id: ids[0], storage_size_bytes: null } } })
  })

  test('sizes are filled when requested: of the call, and of the whole trace for a root', async () => {
    const { project_id, ids } = await threeCalls()
    const ask = { include_storage_size: true, include_total_storage_size: true }
    const [root, child] = await Promise.all(ids.slice(0, 2).map((id) => app.client.calls.read({ project_id, id, ...ask })))
    const own = '{"x":1}'.length + '{"n":1,"deep":{"a":1}}'.length + '"one"'.length + '{}'.length
    const childs = '{}'.length + '{"n":2}'.length + 'null'.length + '{}'.length
    expect(root?.call).toMatchObject({ storage_size_bytes: own, total_storage_size_bytes: own + childs })
    expect(child?.call).toMatchObject({ storage_size_bytes: childs, total_storage_size_bytes: null })
  })
})

describe('stream_query (5)', () => {
  test('a page in the order of time is the same whatever was asked before', async () => {
    const seconds = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 150, maxLength: 150 })
    const aQuestion = fc.record({
      op: fc.constantFrom(null, 'often', 'seldom', 'hardly'),
      direction: fc.constantFrom('asc' as const, 'desc' as const),
      limit: fc.constantFrom(1, 20, 30),
      offset: fc.constantFrom(0, 5, 60),
    })
    const questions = fc.array(aQuestion, { minLength: 12, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(seconds, questions, async (starts, asked) => {
        const project_id = app.newProject()
        const opOf = (index: number) => (index % 40 === 0 ? 'hardly' : index % 4 === 0 ? 'seldom' : 'often')
        const calls = starts.map((second, index) =>
          aCall({ project_id, op_name: opOf(index), started_at: new Date(Date.UTC(2026, 2, 1) + second * 1000).toISOString() }),
        )
        await record(app.client, ...calls)
        const ordered = calls.toSorted((a, b) => (a.started_at + a.id < b.started_at + b.id ? -1 : 1))
        for (const { op, direction, limit, offset } of asked) {
          const matching = ordered.filter(({ op_name }) => op === null || op_name === op)
          const expected = (direction === 'asc' ? matching : matching.toReversed()).slice(offset, offset + limit)
          const filter = op === null ? null : { op_names: [op] }
          const found = await findCalls(app.client, { project_id, filter, sort_by: [{ field: 'started_at', direction }], limit, offset })
          expect(idsOf(found)).toEqual(expected.map(({ id }) => id))
        }
      }),
      { numRuns: trials({ usual: 1, long: 100 }) },
    )
  })

  test('calls come by start, then id, one JSON object a line', async () => {
    const project_id = app.newProject()
    const ids = ['00000000000000cc', '00000000000000aa', '00000000000000bb']
    await record(app.client, ...ids.map((id, index) => aCall({ project_id, id, started_at: index === 0 ? at(1) : at(2) })))
    const answer = await post('/calls/stream_query', { project_id })
    expect(answer.headers.get('content-type')).toBe('application/jsonl')
    expect(answer.text.endsWith('}\n')).toBe(true)
    expect(
      answer.text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as CallRecord).id),
    ).toEqual([ids[0], ids[1], ids[2]])
  })

  test('nothing found is an empty answer, also in a project that was never written to', async () => {
    expect(await post('/calls/stream_query', { project_id: app.newProject() })).toMatchObject({ status: 200, text: '' })
  })

  test.each([
    [{ limit: 2 }, [0, 1]],
    [{ limit: 0 }, []],
    [{ limit: '2', offset: 1.0 }, [1, 2]],
    [{ offset: 2 }, [2]],
    [{ offset: 9 }, []],
    [{ limit: null, offset: null, sort_by: null, filter: null, query: null, columns: null, expand_columns: null }, [0, 1, 2]],
    [{ sort_by: [{ field: 'started_at', direction: 'desc' }], limit: 1 }, [2]],
    [{ sort_by: [{ field: 'inputs.n', direction: 'desc' }] }, [2, 1, 0]],
    [{ filter: { trace_roots_only: true } }, [0, 2]],
    [{ filter: { op_names: null, call_ids: [] } }, [0, 1, 2]],
    [{ query: { $expr: { $gt: [{ $getField: 'inputs.n' }, { $literal: 1 }] } }, filter: { trace_roots_only: true } }, [2]],
    [{ latest_only: true }, [0, 1, 2]],
  ])('%j selects %j', async (query, expected) => {
    const { project_id, ids } = await threeCalls()
    const answer = await post('/calls/stream_query', { project_id, ...query })
    const lines = answer.text.split('\n').filter((line) => line !== '')
    expect(lines.map((line) => ids.indexOf((JSON.parse(line) as CallRecord).id))).toEqual(expected)
  })

  test.each([
    [400, { limit: -1 }],
    [400, { offset: -1 }],
    [422, { limit: 1.5 }],
    [422, { filter: { brand_new: 1 } }],
    [422, { query: { $expr: {}, more: 1 } }],
    [422, { sort_by: [{ field: 'id', direction: 'up' }] }],
    [422, { sort_by: [{ field: 'id', direction: 'asc', more: 1 }] }],
    [422, { sort_by: [{ field: 'storage_size_bytes', direction: 'asc' }] }],
    [422, { query: { $expr: { $eq: [{ $getField: 'nonsense' }, { $literal: 1 }] } } }],
    [400, { filter: { call_ids: Array.from({ length: 1001 }, () => 'x') } }],
  ])('is %d for %j, before the first line', async (status, query) => {
    expect((await post('/calls/stream_query', { project_id: app.newProject(), ...query })).status).toBe(status)
  })

  test('the accept header changes nothing', async () => {
    const project_id = app.newProject()
    await record(app.client, aCall({ project_id }))
    for (const accept of ['*/*', 'application/json', 'text/html']) {
      const answer = await sendRaw(app, { path: '/calls/stream_query', body: { project_id }, headers: { accept } })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/jsonl'])
    }
  })

  test('storage sizes and user names are shown when requested', async () => {
    const { project_id } = await threeCalls()
    const ask = { include_storage_size: true, include_total_storage_size: true, include_usernames: true }
    const calls = await findCalls(app.client, { project_id, ...ask })
    expect(calls.map((call) => call.wb_username)).toEqual(['tester', 'tester', 'tester'])
    const [root, child, other] = calls.map((call) => call.storage_size_bytes ?? 0)
    expect(calls.map((call) => call.total_storage_size_bytes)).toEqual([(root ?? 0) + (child ?? 0), null, other])
  })

  test('pages of any size put together are the whole, across more calls than one page of the server holds', async () => {
    const project_id = app.newProject()
    const calls = Array.from({ length: 1_203 }, (_, index) => aCall({ project_id, started_at: at(index % 3), inputs: { index } }))
    await record(app.client, ...calls)
    const whole = idsOf(await findCalls(app.client, { project_id }))
    const expected = calls.toSorted((a, b) => (`${String(a.started_at)}${a.id}` < `${String(b.started_at)}${b.id}` ? -1 : 1))
    expect(whole).toEqual(idsOf(expected as unknown as CallRecord[]))
    const pages: string[] = []
    for (let offset = 0; offset < calls.length; offset += 500)
      pages.push(...idsOf(await findCalls(app.client, { project_id, limit: 500, offset })))
    expect(pages).toEqual(whole)
  })

  test('the form that answers at once gives the same', async () => {
    const { project_id } = await threeCalls()
    expect((await app.client.calls.query({ project_id })).calls).toEqual(await findCalls(app.client, { project_id }))
  })
})

describe('texts that are cut', () => {
  const long = 'x'.repeat(50)

  test('a list shows their start and names the fields; a call that is read alone has them whole, and conditions read them whole', async () => {
    const project_id = app.newProject()
    const call = aCall({
      project_id,
      inputs: { messages: [{ role: 'user', content: `😀${long}` }], n: 1.5 },
      output: 'short',
      attributes: { sent: JSON.stringify([{ content: long }]) },
      exception: long,
    })
    await record(app.client, call)
    const query = { $expr: { $contains: { input: { $getField: 'inputs.messages' }, substr: { $literal: long } } } }
    const [cut] = await findCalls(app.client, { project_id, query, max_text_length: 10 })
    expect(cut).toMatchObject({
      inputs: { messages: [{ role: 'user', content: `😀${'x'.repeat(9)}…` }], n: 1.5 },
      output: 'short',
      attributes: { sent: JSON.stringify([{ content: `${'x'.repeat(10)}…` }]) },
      exception: `${'x'.repeat(10)}…`,
      cut_fields: ['attributes', 'inputs', 'exception'],
    })
    const whole = await readCall(app.client, { project_id, id: call.id })
    expect(whole).toMatchObject({ inputs: call.inputs, exception: long })
    expect(whole).not.toHaveProperty('cut_fields')
    expect(await findCalls(app.client, { project_id, max_text_length: 100 })).toEqual([whole])
  })

  test('only fields that are shown are named, and a length that cannot be is refused', async () => {
    const project_id = app.newProject()
    await record(app.client, aCall({ project_id, inputs: { long }, output: long, exception: long }))
    const [call] = await findCalls(app.client, { project_id, columns: ['output'], max_text_length: 10 })
    expect(call?.cut_fields).toEqual(['output'])
    await expect(findCalls(app.client, { project_id, max_text_length: 0 })).rejects.toThrow('from 1 to 100000')
  })
})

describe('columns (6)', () => {
  const always = ['id', 'trace_id', 'project_id', 'op_name', 'started_at', 'summary']

  const besideSummary = ['ended_at', 'exception', 'display_name']

  test.each<[string[], Record<string, true>, string[]]>([
    [['id'], {}, []],
    [['inputs.deep.a'], {}, ['inputs']],
    [['inputs_dump', 'output'], {}, ['inputs', 'output']],
    [['attributes.x', 'nonsense'], {}, ['attributes']],
    [['ended_at', 'wb_user_id'], {}, ['ended_at', 'wb_user_id']],
    [['summary'], {}, besideSummary],
    [['summary.weave.status'], {}, besideSummary],
    [['summary_dump', 'output'], {}, ['output', ...besideSummary]],
    [['id'], { include_costs: true }, besideSummary],
    [['id'], { include_usernames: true }, ['wb_user_id', 'wb_username']],
  ])('%j with %j shows %j beside what is always there', async (columns, included, shown) => {
    const project_id = app.newProject()
    const filled = { inputs: { a: 1 }, attributes: { x: 1 }, output: 'one', summary: { own: 1 }, exception: 'boom', display_name: 'shown' }
    await record(app.client, aCall({ project_id, ...filled }))
    const [all] = await findCalls(app.client, { project_id, ...included })
    const [call] = await findCalls(app.client, { project_id, ...included, columns })
    const expected = Object.entries(all ?? {}).map(([field, value]) => {
      if (field === 'summary' && !shown.includes('exception')) return [field, { weave: (value as { weave: unknown }).weave }]
      if ([...always, ...shown].includes(field)) return [field, value]
      return [field, field === 'inputs' || field === 'attributes' ? {} : null]
    })
    expect(call).toEqual(Object.fromEntries(expected))
  })

  test('an empty list is none', async () => {
    const { project_id } = await threeCalls()
    expect(await findCalls(app.client, { project_id, columns: [] })).toEqual(await findCalls(app.client, { project_id }))
  })

  test('the derived status is right whatever is selected', async () => {
    const { project_id } = await threeCalls()
    for (const columns of [['id'], ['summary'], ['inputs']]) {
      const calls = await findCalls(app.client, { project_id, columns })
      expect(calls.map((call) => (call.summary as { weave: { status: string } }).weave.status)).toEqual(['success', 'error', 'success'])
    }
  })
})

describe('expand_columns (7)', () => {
  async function publish(project_id: string, object_id: string, val: unknown) {
    const { digest } = await app.client.objects.create({ obj: { project_id, object_id, val } })
    return `weave:///${project_id}/object/${object_id}:${digest}`
  }

  /** A call whose input refers to an object that refers to another. */
  async function nestedRefs() {
    const project_id = app.newProject()
    const inner = await publish(project_id, 'inner', { deep: 'yes', n: 7 })
    const outer = await publish(project_id, 'outer', { inner, name: 'o' })
    const call = aCall({ project_id, inputs: { model: outer, other: 1 }, output: { made: inner } })
    await record(app.client, call)
    return { project_id, inner, outer, id: call.id }
  }
  const expanded = async (project_id: string, expand_columns: string[]) => (await findCalls(app.client, { project_id, expand_columns }))[0]

  test('a reference is replaced by the object, which says where it came from', async () => {
    const { project_id, inner, outer } = await nestedRefs()
    expect(await expanded(project_id, ['inputs.model'])).toMatchObject({
      inputs: { model: { _ref: outer, inner, name: 'o' }, other: 1 },
      output: { made: inner },
    })
  })

  test('a path continues behind a reference, in whatever order the paths are listed', async () => {
    const { project_id, inner, outer } = await nestedRefs()
    const call = await expanded(project_id, ['inputs.model.inner', 'output.made', 'inputs.model'])
    expect(call?.inputs).toEqual({ model: { _ref: outer, name: 'o', inner: { _ref: inner, deep: 'yes', n: 7 } }, other: 1 })
    expect(call?.output).toEqual({ made: { _ref: inner, deep: 'yes', n: 7 } })
  })

  test('return_expanded_column_values: false leaves references, and filter and sort follow them', async () => {
    const { project_id, outer, id } = await nestedRefs()
    const calls = await findCalls(app.client, {
      project_id,
      expand_columns: ['inputs.model', 'inputs.model.inner'],
      return_expanded_column_values: false,
      query: { $expr: { $eq: [{ $getField: 'inputs.model.inner.deep' }, { $literal: 'yes' }] } },
      sort_by: [{ field: 'inputs.model.inner.n', direction: 'desc' }],
    })
    expect(calls).toMatchObject([{ id, inputs: { model: outer } }])
  })

  test('a value that is not an object replaces the reference as it is', async () => {
    const project_id = app.newProject()
    const list = await publish(project_id, 'list', [1, 2])
    const text = await publish(project_id, 'text', 'plain')
    await record(app.client, aCall({ project_id, inputs: { list, text } }))
    expect((await expanded(project_id, ['inputs.list', 'inputs.text']))?.inputs).toEqual({ list: [1, 2], text: 'plain' })
  })

  test('a reference into an object is followed; one that ends in null stays', async () => {
    const project_id = app.newProject()
    const ref = await publish(project_id, 'o', { part: { a: 1 }, gone: null })
    await record(app.client, aCall({ project_id, inputs: { part: `${ref}/key/part`, gone: `${ref}/key/gone` } }))
    const call = await expanded(project_id, ['inputs.part', 'inputs.gone'])
    expect(call?.inputs).toEqual({ part: { _ref: `${ref}/key/part`, a: 1 }, gone: `${ref}/key/gone` })
  })

  test('an existing _ref is kept', async () => {
    const project_id = app.newProject()
    const ref = await publish(project_id, 'o', { _ref: 'mine', a: 1 })
    await record(app.client, aCall({ project_id, inputs: { o: ref } }))
    expect((await expanded(project_id, ['inputs.o']))?.inputs).toEqual({ o: { _ref: 'mine', a: 1 } })
  })

  test('references to unknown objects and to tables, and other texts, stay', async () => {
    const project_id = app.newProject()
    const inputs = {
      unknown: `weave:///${project_id}/object/never:${'A'.repeat(43)}`,
      table: `weave:///${project_id}/table/${'a'.repeat(64)}`,
      text: 'weave:///',
      number: 1,
    }
    await record(app.client, aCall({ project_id, inputs }))
    expect(
      (
        await expanded(
          project_id,
          Object.keys(inputs).map((key) => `inputs.${key}`),
        )
      )?.inputs,
    ).toEqual(inputs)
  })

  test('numbers of an expanded object keep their form', async () => {
    const project_id = app.newProject()
    const created = await post(
      '/obj/create',
      `{"obj":{"project_id":"${project_id}","object_id":"n","val":{"a":1.0,"b":12345678901234567890}}}`,
    )
    const ref = `weave:///${project_id}/object/n:${(created.body as { digest: string }).digest}`
    await record(app.client, aCall({ project_id, inputs: { n: ref } }))
    const { text } = await post('/calls/stream_query', { project_id, expand_columns: ['inputs.n'] })
    expect(text).toContain(`"a":1.0,"b":12345678901234567890`)
  })
})

describe('payloads', () => {
  test('numbers, odd keys and characters come back as they were sent', async () => {
    const project_id = app.newProject()
    const value =
      '{"a":1.0,"b":1e3,"c":12345678901234567890,"d":-0,"e":0.1000,"__proto__":{"x":[]},"constructor":1,"":"","n\\u0000l":"\\u0000","q\\"":"\\u2028🙂"}'
    const body = `{"batch":[{"project_id":"${project_id}","id":"00000000000000aa","trace_id":"000000000000000000000000000000aa","op_name":"op","started_at":"${at(1)}","ended_at":"${at(2)}","attributes":${value},"inputs":${value},"output":[${value}],"summary":${value}}]}`
    expect((await post(`/v2/${project_id}/calls/complete`, body)).status).toBe(200)
    const single = await post('/call/read', { project_id, id: '00000000000000aa' })
    const streamed = await post('/calls/stream_query', { project_id })
    // The same characters, but for the escapes that JSON leaves to the writer.
    const written = value.replace('\\u2028', '\u2028')
    for (const { text } of [single, streamed]) {
      expect(text).toContain(`"attributes":${written},"inputs":${written}`)
      expect(text).toContain(`"output":[${written}],"summary":${written.slice(0, -1)},"weave":`)
    }
  })

  test('any JSON value comes back in every payload, read alone and in a stream', async () => {
    const value = fc.jsonValue({ noUnicodeString: false, maxDepth: 6 })
    const object = fc.dictionary(fc.string({ unit: 'binary', maxLength: 20 }), value, { maxKeys: 8 })
    const summary = object.filter((keys) => !['usage', 'status_counts', 'weave'].some((key) => key in keys))
    const call = fc.record({ inputs: object, attributes: object, output: value, summary })
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 30 }), async (payloads) => {
        const project_id = app.newProject()
        const calls = payloads.map((payload, index) => aCall({ project_id, ...payload, started_at: index }))
        await record(app.client, ...calls)
        const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown
        const streamed = await findCalls(app.client, { project_id })
        const shown = streamed.map(({ inputs, attributes, output, summary }) => ({
          inputs,
          attributes,
          output,
          summary: { ...summary, weave: null },
        }))
        const sent = payloads.map(({ inputs, attributes, output, summary }) => ({
          inputs,
          attributes,
          output,
          summary: { ...summary, weave: null },
        }))
        expect(plain(shown)).toEqual(plain(sent))
        expect(await readCall(app.client, { project_id, id: calls[0]?.id ?? '' })).toEqual(streamed[0])
      }),
      { numRuns: trials({ usual: 4, long: 400 }) },
    )
  }, 600_000)

  test('a raw span takes the place of an attribute of its name, also beside a text that holds that name', async () => {
    const project_id = app.newProject()
    const attributes = [
      { otel_span: 'mine', n: 1 },
      { deep: { otel_span: 1 }, note: '"otel_span"' },
    ]
    await record(
      app.client,
      ...attributes.map((each, index) => ({ ...aCall({ project_id, started_at: index }), attributes: each, otel_dump: { name: 's' } })),
    )
    const calls = await findCalls(app.client, { project_id })
    expect(calls.map((call) => call.attributes)).toEqual(attributes.map((each) => ({ ...each, otel_span: { name: 's' } })))
  })

  test('half a surrogate pair becomes U+FFFD, and the rest of the call stays', async () => {
    const project_id = app.newProject()
    const body = `{"start":{"project_id":"${project_id}","id":"00000000000000aa","op_name":"op","started_at":"${at(1)}","attributes":{},"inputs":{"x":"a\\ud800b","\\udc00":1,"pair":"\\ud83d\\ude42"}}}`
    expect((await post('/call/start', body)).status).toBe(200)
    expect(await readCall(app.client, { project_id, id: '00000000000000aa' })).toMatchObject({
      inputs: { x: 'a\uFFFDb', '\uFFFD': 1, pair: '🙂' },
    })
  })

  test('NUL in texts of a call comes back, and is not searched for', async () => {
    const project_id = app.newProject()
    const start = aStart({ project_id, op_name: 'a\0b', display_name: 'c\0d', thread_id: 'e\0f' })
    await app.client.calls.start({ start })
    expect(await readCall(app.client, { project_id, id: start.id ?? '' })).toMatchObject({
      op_name: 'a\0b',
      display_name: 'c\0d',
      thread_id: 'e\0f',
    })
    expect(await post('/calls/stream_query', { project_id, filter: { thread_ids: ['e\0f'] } })).toMatchObject({ status: 400 })
  })

  test('an id with NUL is refused where a call would get it, and found nowhere, beside requests that are sound', async () => {
    const project_id = app.newProject()
    const call = aCall({ project_id })
    const id = 'nul\0nul\0nul\0nul\0'
    const answers = await Promise.all([
      post(`/v2/${project_id}/calls/complete`, { batch: [call] }),
      post('/call/start', { start: aStart({ project_id, id }) }),
      post('/call/upsert_batch', { batch: [{ req: { end: { ...call, id } } }] }),
      post('/call/update', { project_id, call_id: id, display_name: 'x' }),
      post('/call/read', { project_id, id }),
      post('/calls/delete', { project_id, call_ids: [id] }),
      post('/calls/usage', { project_id, call_ids: [id] }),
    ])
    expect(answers.map((answer) => answer.status)).toEqual([200, 400, 422, 200, 200, 200, 200])
    expect(answers.slice(3).map((answer) => answer.body)).toEqual([
      {},
      { call: null },
      { num_deleted: 0 },
      { call_usage: { [id]: {} }, unfinished_call_ids: [] },
    ])
    expect(await findCalls(app.client, { project_id })).toHaveLength(1)
  })

  test('a payload of 200 levels is taken with its envelope counted; deeper is 413', async () => {
    const project_id = app.newProject()
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    const body = (levels: number) =>
      `{"start":${JSON.stringify(aStart({ project_id })).replace('"inputs":{}', `"inputs":{"x":${nested(levels)}}`)}}`
    expect((await post('/call/start', body(150))).status).toBe(200)
    expect(await post('/call/start', body(201))).toMatchObject({ status: 413, body: { reason: 'Request too large' } })
    expect(await findCalls(app.client, { project_id })).toHaveLength(1)
  })

  test.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
    ['both', '[{"a":', '}]'],
  ])('%s nested far too deep are 413 in every field, and cost nothing', async (_, open, close) => {
    const project_id = app.newProject()
    for (const levels of [201, 10_000, 1_000_000]) {
      const value = `${open.repeat(levels)}1${close.repeat(levels)}`
      for (const field of ['inputs', 'attributes', 'output', 'summary', 'otel_dump', 'brand_new']) {
        const body = `{"batch":[{"${field}":{"x":${value}}}]}`
        expect((await post(`/v2/${project_id}/calls/complete`, body)).status).toBe(413)
      }
    }
  })

  test('thousands of items and 31 MiB are taken in one batch, 33 MiB are 413', async () => {
    const project_id = app.newProject()
    const count = inject('long') ? 5_000 : 1_000
    const many = Array.from({ length: count }, () => aStart({ project_id }))
    const batch = many.flatMap((start) => [
      { mode: 'end', req: { end: { project_id, id: start.id ?? '', ended_at: at(2), summary: {} } } },
      { mode: 'start', req: { start } },
    ])
    expect((await app.client.calls.upsertBatch({ batch })).res).toHaveLength(2 * count)
    expect(await app.client.calls.queryStats({ project_id })).toMatchObject({ count })
    const large = aCall({ project_id, inputs: { text: 'x'.repeat(31 * 2 ** 20) } })
    await record(app.client, large)
    const { inputs } = await readCall(app.client, { project_id, id: large.id })
    expect((inputs as { text: string }).text).toHaveLength(31 * 2 ** 20)
    const tooLarge = { batch: [aCall({ project_id, inputs: { text: 'x'.repeat(33 * 2 ** 20) } })] }
    expect(await post(`/v2/${project_id}/calls/complete`, tooLarge)).toMatchObject({ status: 413, body: { reason: 'Request too large' } })
  }, 120_000)
})
