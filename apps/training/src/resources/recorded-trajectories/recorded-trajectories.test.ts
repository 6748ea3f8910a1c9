import { randomUUID } from 'node:crypto'
import type { RecordedTrajectoryGroup } from '@heddle/core-api/types'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { send } from '../../testing/send.ts'
import { addCheckpoint } from '../../testing/add-checkpoint.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'
import { untilEnded } from '../../testing/until-ended.ts'
import { createRecordedTrajectories } from './recorded-trajectories.ts'

const dialects = [
  { dialect: 'SQLite', postgresUrl: undefined },
  { dialect: 'PostgreSQL', postgresUrl: inject('postgresUrl') },
].filter(({ postgresUrl }) => postgresUrl !== '')

describe.each(dialects)('trajectories recorded from chat completions on $dialect', ({ postgresUrl }) => {
  let app: TrainingApp
  beforeAll(async () => {
    app = await startTrainingApp(postgresUrl === undefined ? {} : { postgresUrl })
  })
  afterAll(() => app.close())

  async function newModel() {
    const project = `p-${randomUUID()}`
    const { id } = await app.client.models.create({ project, name: 'agent', base_model: 'table' })
    return { model_id: id, model: `local/${project}/agent` }
  }
  const question = { role: 'user', content: 'hi – "x"' }
  const ask = (model: string, headers: Record<string, string>, body: object = {}) =>
    send(app, 'POST', '/v1/chat/completions', { model, messages: [question], max_tokens: 6, seed: 3, ...body }, headers)
  const inTrajectory = (id: string, more: Record<string, string> = {}) => ({
    'x-heddle-trajectory-id': id,
    'x-heddle-group-id': 'g',
    ...more,
  })
  const finish = (model_id: string, trajectory_id: string, said: object = { reward: 1 }) =>
    app.client.recordedTrajectories.finish({ model_id, trajectory_id, ...said })

  async function groupsOf(model_id: string, which: object = {}): Promise<RecordedTrajectoryGroup[]> {
    const groups: RecordedTrajectoryGroup[] = []
    for await (const group of await app.client.recordedTrajectories.groups({ model_id, ...which })) groups.push(group)
    return groups
  }
  const elementsOf = (group: RecordedTrajectoryGroup | undefined, index = 0) =>
    group!.trajectories[index]!.messages_and_choices as Record<string, unknown>[]

  test.each(['group_id', 'rollout_id', 'trace_id'])('a NUL character in the filter %s is named, or found nowhere', async (field) => {
    const { model_id } = await newModel()
    const listed = app.client.recordedTrajectories.list({ model_id, [field]: 'a\0b' })
    if (postgresUrl === undefined) expect(await listed).toMatchObject({ data: [] })
    else await expect(listed).rejects.toThrow(`${field} has a NUL character (U+0000), which cannot be stored or searched for; remove it`)
  })

  test('a conversation of the published client is one history: what was sent, and each choice with its log-probabilities and token ids', async () => {
    const { model_id, model } = await newModel()
    const fetch = (input: string | URL | Request, init?: RequestInit) => app.service.fetch(new Request(input, init)) as Promise<Response>
    const defaultHeaders = inTrajectory('t')
    const client = new OpenAI({ baseURL: 'http://heddle.test/v1/', apiKey: app.apiKey, maxRetries: 0, fetch, defaultHeaders })
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'hi – "x"' }]
    const plain = await client.chat.completions.create({ model, messages, max_tokens: 6, seed: 1 })
    messages.push(plain.choices[0]!.message, { role: 'user', content: 'and?' })
    const streamed = await client.chat.completions.stream({ model, messages, max_tokens: 5, seed: 1 }).finalChatCompletion()
    await finish(model_id, 't')
    const [group] = await groupsOf(model_id)
    const elements = elementsOf(group)
    expect(elements).toEqual([
      question,
      { ...plain.choices[0], token_ids: expect.any(Array), prompt_token_ids: expect.any(Array) },
      { role: 'user', content: 'and?' },
      expect.objectContaining({
        index: 0,
        finish_reason: 'length',
        message: { role: 'assistant', content: streamed.choices[0]!.message.content, refusal: null },
      }),
    ])
    expect((elements[3]!['logprobs'] as { content: unknown }).content).toEqual(streamed.choices[0]!.logprobs!.content)
    expect(elements[3]!['token_ids']).toHaveLength(5)
    expect(group).toMatchObject({ exceptions: [], metadata: { group_id: 'g' } })
    expect(group!.trajectories[0]).toMatchObject({ reward: 1, tools: null, additional_histories: [], initial_policy_version: 0 })
  })

  test('a trajectory has the smallest and the largest step of its weights, whichever call was first', async () => {
    const { model_id, model } = await newModel()
    await addCheckpoint(app, model_id, 3)
    await ask(model, inTrajectory('t'))
    await ask(`${model}:step0`, inTrajectory('t'))
    await finish(model_id, 't')
    const [group] = await groupsOf(model_id)
    expect(group!.trajectories[0]).toMatchObject({ initial_policy_version: 0, final_policy_version: 3 })
  })

  test('a branch, a repeated request and a second choice are histories of their own, and a repeated idempotency key is not', async () => {
    const { model_id, model } = await newModel()
    await ask(model, inTrajectory('t', { 'idempotency-key': 'k' }), { seed: 1 })
    const second = await ask(model, inTrajectory('t', { 'idempotency-key': 'k' }), { seed: 2 })
    await ask(model, inTrajectory('t'), { n: 2 })
    await ask(model, inTrajectory('t'), { messages: [{ role: 'user', content: 'another' }] })
    await finish(model_id, 't')
    const [group] = await groupsOf(model_id)
    const [, first] = elementsOf(group)
    expect((first as unknown as { message: unknown }).message).toEqual(
      (second.body as { choices: { message: unknown }[] }).choices[0]!.message,
    )
    const others = group!.trajectories[0]!.additional_histories as { messages_and_choices: unknown[] }[]
    expect(others.map(({ messages_and_choices: [message] }) => message)).toEqual([question, question, { role: 'user', content: 'another' }])
  })

  test('messages that earlier requests sent are stored once, and come back as they were sent each time', async () => {
    const { model_id, model } = await newModel()
    const long = { role: 'user', content: 'x'.repeat(200), name: 'someone' }
    await ask(model, inTrajectory('t'), { messages: [long], max_tokens: 1 })
    const sizes = async () => {
      const { bytes } = await app.database
        .selectFrom('recorded_trajectories')
        .select('bytes')
        .where('model_id', '=', model_id)
        .executeTakeFirstOrThrow()
      return Number(bytes)
    }
    const before = await sizes()
    await ask(model, inTrajectory('t'), { messages: [long, { role: 'user', content: 'y' }], max_tokens: 1 })
    expect((await sizes()) - before).toBeLessThan(before)
    await finish(model_id, 't')
    const [group] = await groupsOf(model_id)
    const [history] = group!.trajectories[0]!.additional_histories as { messages_and_choices: unknown[] }[]
    expect(history!.messages_and_choices.slice(0, 2)).toEqual([long, { role: 'user', content: 'y' }])
  })

  test('a stream that the client leaves is context, and is not trained on', async () => {
    const { model_id, model } = await newModel()
    const { generate } = app.engine
    app.engine.generate = async function* (request, signal) {
      let count = 0
      for await (const tokens of generate(request, signal)) {
        yield tokens
        if (++count === 3) await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      }
    }
    const left = new AbortController()
    const response = await app.service.fetch(
      new Request('http://heddle.test/v1/chat/completions', {
        method: 'POST',
        signal: left.signal,
        headers: { authorization: `Bearer ${app.apiKey}`, 'content-type': 'application/json', ...inTrajectory('t') },
        body: JSON.stringify({ model, messages: [question], max_tokens: 6, ignore_eos: true, seed: 1, stream: true }),
      }),
    )
    const reader = response.body!.getReader()
    await reader.read()
    left.abort()
    await reader.cancel().catch(() => undefined)
    app.engine.generate = generate
    await expect.poll(async () => (await app.client.recordedTrajectories.list({ model_id })).data).toHaveLength(1)
    await finish(model_id, 't')
    const [group] = await groupsOf(model_id)
    expect(elementsOf(group)).toMatchObject([question, { role: 'assistant' }])
    expect(group!.trajectories[0]!.metrics).toEqual({ incomplete_responses: 1 })
  })

  test('its trace is in the metadata, and its spans in the choices', async () => {
    const { model_id, model } = await newModel()
    const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
    await ask(model, inTrajectory('t', { traceparent: `00-${trace}-${span}-01`, 'x-heddle-rollout-id': 'r' }))
    const idsOf = async (trace_id: string) => (await app.client.recordedTrajectories.list({ model_id, trace_id })).data.map(({ id }) => id)
    expect([await idsOf(trace), await idsOf(span.repeat(2))]).toEqual([['t'], []])
    await finish(model_id, 't')
    const [group] = await groupsOf(model_id, { rollout_id: 'r' })
    expect(group!.trajectories[0]!.metadata).toEqual({ trajectory_id: 't', group_id: 'g', rollout_id: 'r', trace_id: trace })
    expect(elementsOf(group)[1]).toMatchObject({ span_id: span })
    expect(await groupsOf(model_id, { rollout_id: 'another' })).toEqual([])
  })

  test('open attempts are left out of their group, failed ones are its exceptions, and the others keep what was said of them', async () => {
    const { model_id, model } = await newModel()
    for (const id of ['open', 'failed', 'fine']) await ask(model, inTrajectory(id))
    await finish(model_id, 'failed', { error: 'the tool broke' })
    await finish(model_id, 'fine', { reward: 0.5, metrics: { tool_errors: 2 }, metadata: { task: 'a' }, logs: ['l'] })
    const groups = await groupsOf(model_id)
    expect(groups).toMatchObject([
      {
        trajectories: [{ reward: 0.5, metrics: { tool_errors: 2 }, metadata: { task: 'a', trajectory_id: 'fine' }, logs: ['l'] }],
        exceptions: [{ message: 'the tool broke' }],
      },
    ])
    const { data } = await app.client.recordedTrajectories.list({ model_id })
    expect(data).toMatchObject([
      { id: 'open', status: 'open', calls: 1, reward: null },
      { id: 'failed', status: 'failed', error: 'the tool broke' },
      { id: 'fine', status: 'finished', reward: 0.5, group_id: 'g' },
    ])
    const page = await app.client.recordedTrajectories.list({ model_id, limit: 1, after: 'open' })
    expect([page.data.map(({ id }) => id), page.has_more]).toEqual([['failed'], true])
  })

  test('numbers of tools, messages, metrics and metadata come back as they were sent', async () => {
    const { model_id, model } = await newModel()
    const tools = '[{"type":"function","function":{"name":"f","parameters":{"type":"object","default":{"id":9007199254740993}}}}]'
    const sent = '[{"role":"user","content":[{"type":"text","text":"a","at":1.50}]}]'
    const request = `{"model":${JSON.stringify(model)},"max_tokens":2,"tool_choice":"none","tools":${tools},"messages":${sent}}`
    expect(await send(app, 'POST', '/v1/chat/completions', request, inTrajectory('t'))).toMatchObject({ status: 200 })
    const path = `/v1/preview/models/${model_id}/recorded-trajectories/t/finish`
    const said = '{"reward":1.0,"metrics":{"cost":1.10},"metadata":{"task":9007199254740993}}'
    for (const _ of [1, 2]) expect(await send(app, 'POST', path, said)).toMatchObject({ status: 200, body: { reward: 1 } })
    expect(await send(app, 'POST', path, said.replace('993', '992'))).toMatchObject({ status: 409 })
    const groups = new Request(`http://heddle.test/v1/preview/models/${model_id}/recorded-groups`, {
      headers: { authorization: `Bearer ${app.apiKey}` },
    })
    const text = await (await app.service.fetch(groups)).text()
    for (const part of [`"tools":${tools}`, '"at":1.50', '"metrics":{"cost":1.10}', '"task":9007199254740993']) expect(text).toContain(part)
  })

  test('finishing twice alike changes nothing, and otherwise is refused with what it finished with', async () => {
    const { model_id, model } = await newModel()
    await ask(model, inTrajectory('t'))
    await expect(finish(model_id, 't', {})).rejects.toMatchObject({ status: 400, message: expect.stringContaining('"t" needs a reward') })
    expect(await finish(model_id, 't')).toEqual(await finish(model_id, 't'))
    await expect(finish(model_id, 't', { reward: 0 })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining('with the reward 1'),
    })
    await expect(finish(model_id, 'other')).rejects.toMatchObject({ status: 404 })
  })

  test('a call of a finished trajectory, of another group or of a base model is refused before it is sampled', async () => {
    const { model_id, model } = await newModel()
    await ask(model, inTrajectory('t'))
    const errorOf = async (answer: Promise<{ status: number; body: unknown }>) => {
      const { status, body } = await answer
      return [status, (body as { error: { message: string } }).error.message]
    }
    expect(await errorOf(ask(model, inTrajectory('t', { 'x-heddle-group-id': 'h' })))).toEqual([
      400,
      expect.stringContaining('belongs to group "g"'),
    ])
    await finish(model_id, 't')
    expect(await errorOf(ask(model, inTrajectory('t')))).toEqual([400, expect.stringContaining('use a new id for each attempt')])
    expect(await errorOf(ask('table', inTrajectory('t')))).toEqual([400, expect.stringContaining('is for trained models')])
    expect(await errorOf(ask(model, { 'x-heddle-group-id': 'g' }))).toEqual([400, expect.stringContaining('needs x-heddle-trajectory-id')])
    expect((await ask(model, inTrajectory('ä'))).status).toBe(422)
  })

  test('what is recorded trains the model, as if its groups had been sent', async () => {
    const { model_id, model } = await newModel()
    for (const [index, reward] of [1, 0, 0].entries()) {
      await ask(model, inTrajectory(`t${index}`), { seed: index })
      await finish(model_id, `t${index}`, { reward })
    }
    const { id } = await app.client.recordedTrajectories.train({ model_id, group_id: 'g', experimental_config: { learning_rate: 0.1 } })
    expect(await untilEnded(app.client, id)).toMatchObject({ status: 'succeeded', step: 1 })
    const groups = await groupsOf(model_id)
    const { id: sent } = await app.client.trainingJobs.create({ model_id, trajectory_groups: groups as never })
    expect(await untilEnded(app.client, sent)).toMatchObject({ status: 'succeeded', step: 2 })
  })

  test('calls at once are all recorded, each once', async () => {
    const { model_id, model } = await newModel()
    await Promise.all(
      Array.from({ length: 12 }, (_, index) => ask(model, inTrajectory('t'), { messages: [{ role: 'user', content: `${index}` }] })),
    )
    await finish(model_id, 't')
    const [group] = await groupsOf(model_id)
    const { messages_and_choices: main, additional_histories: others } = group!.trajectories[0]!
    const first = [{ messages_and_choices: main }, ...others].map(
      ({ messages_and_choices: [message] }) => (message as { content: string }).content,
    )
    expect(first.toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 12 }, (_, index) => `${index}`))
  })

  test('another tenant finds nothing, a key that only reads cannot finish, and what is deleted is gone with its blobs', async () => {
    const { model_id, model } = await newModel()
    await ask(model, inTrajectory('t'))
    const which = { model_id, trajectory_id: 't' }
    const stranger = await app.clientFor({ name: 'stranger', role: 'admin', entity: 'elsewhere' })
    const reader = await app.clientFor({ name: 'reader', role: 'reader' })
    for (const attempt of [
      () => stranger.recordedTrajectories.list({ model_id }),
      () => stranger.recordedTrajectories.read(which),
      () => stranger.recordedTrajectories.finish({ ...which, reward: 1 }),
      () => stranger.recordedTrajectories.train({ model_id }),
      () => stranger.recordedTrajectories.delete(which),
      () => reader.recordedTrajectories.finish({ ...which, reward: 1 }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 })
    const held = () => app.database.selectFrom('blob_references').selectAll().where('holder', 'like', `recorded:${model_id}:%`).execute()
    expect(await held()).toHaveLength(1)
    expect(await app.client.recordedTrajectories.delete(which)).toEqual({ deleted: true })
    expect(await app.client.recordedTrajectories.delete(which)).toEqual({ deleted: false })
    expect(await held()).toEqual([])
    await ask(model, inTrajectory('t'))
    await app.client.models.delete({ model_id })
    // A job removes them.
    await expect.poll(held, { timeout: 120_000, interval: 50 }).toEqual([])
  })

  /** Writes trajectories with nothing in them beside those that were recorded. */
  async function addEmpty(model_id: string, count: number, { group = 'g', touched_at = Date.now() * 1000 } = {}) {
    const times = { created_at: touched_at, touched_at, finished_at: null }
    const rest = { rollout_id: null, trace_id: null, status: 'open', calls: 0, bytes: 0, outcome: null, ...times }
    const rows = Array.from({ length: count }, () => ({ project_id: 'p', model_id, id: randomUUID(), group_id: group, ...rest }))
    await app.database.insertInto('recorded_trajectories').values(rows).execute()
  }
  const change = (model_id: string, id: string, values: { calls?: number; bytes?: number; touched_at?: number }) =>
    app.database.updateTable('recorded_trajectories').set(values).where('model_id', '=', model_id).where('id', '=', id).execute()

  test('a full trajectory and a full group refuse the next call before it is sampled, and say which and what is the most', async () => {
    const { model_id, model } = await newModel()
    const generate = vi.spyOn(app.engine, 'generate')
    const refusalOf = async (id: string, group = 'g') => {
      const { status, body } = await ask(model, inTrajectory(id, { 'x-heddle-group-id': group }), { max_tokens: 1 })
      return [status, (body as { error?: { message: string } }).error?.message]
    }
    await ask(model, inTrajectory('t'), { max_tokens: 1 })
    await change(model_id, 't', { calls: 999 })
    expect(await refusalOf('t')).toEqual([200, undefined])
    const sampled = generate.mock.calls.length
    expect(await refusalOf('t')).toEqual([400, expect.stringContaining('trajectory "t" has 1000 calls, which is the most')])
    await addEmpty(model_id, 1_000, { group: 'crowd' })
    expect(await refusalOf('one-more', 'crowd')).toEqual([400, expect.stringContaining('group "crowd" has 1000 trajectories')])
    await change(model_id, 't', { calls: 1, bytes: 64 * 2 ** 20 })
    expect(await refusalOf('t')).toEqual([400, expect.stringContaining('group "g" holds 64 MiB')])
    expect(generate.mock.calls.length).toBe(sampled)
    generate.mockRestore()
    expect((await ask(model, inTrajectory('x'.repeat(200), { 'x-heddle-group-id': 'h' }), { max_tokens: 1 })).status).toBe(200)
    expect((await ask(model, inTrajectory('x'.repeat(201)), { max_tokens: 1 })).status).toBe(422)
  })

  test('of more histories than training takes, the first ones come, and the logs say how many do not', async () => {
    const { model_id, model } = await newModel()
    for (let at = 0; at < 67; at++) await ask(model, inTrajectory('t'), { messages: [{ role: 'user', content: `${at}` }], max_tokens: 1 })
    await finish(model_id, 't')
    const [group] = await groupsOf(model_id)
    const { additional_histories: others, logs } = group!.trajectories[0]!
    expect([others.length, others.at(-1)?.messages_and_choices[0]]).toEqual([64, { role: 'user', content: '64' }])
    expect(logs).toEqual([expect.stringContaining('2 histories were left out')])
  })

  test('what nothing was written to for 30 days is swept with its calls and blobs, however much it is, and nothing else', async () => {
    const { model_id, model } = await newModel()
    for (const id of ['old', 'fresh']) await ask(model, inTrajectory(id), { max_tokens: 1, seed: id.length })
    const now = Date.now() * 1000
    const tooOld = now - 30 * 86_400_000_000 - 1
    await change(model_id, 'old', { touched_at: tooOld })
    await addEmpty(model_id, 250, { touched_at: tooOld })
    await change(model_id, 'fresh', { touched_at: tooOld + 1 })
    const { sweep } = createRecordedTrajectories(app as never, {} as never)
    expect(await sweep(now, AbortSignal.abort())).toBe(0)
    expect(await sweep(now, new AbortController().signal)).toBe(251)
    expect((await app.client.recordedTrajectories.list({ model_id })).data.map(({ id }) => id)).toEqual(['fresh'])
    const held = app.database.selectFrom('blob_references').select('holder').where('holder', 'like', `recorded:${model_id}:%`)
    expect(await held.execute()).toHaveLength(1)
    const calls = app.database.selectFrom('recorded_calls').select('trajectory_id').where('model_id', '=', model_id)
    expect(await calls.execute()).toEqual([{ trajectory_id: 'fresh' }])
    expect(await ask(model, inTrajectory('old'), { max_tokens: 1 })).toMatchObject({ status: 200 })
  })
})
