import { randomUUID } from 'node:crypto'
import Anthropic from '@anthropic-ai/sdk'
import type { KeyRecording } from '@heddle/core-api/types'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTinyApp, type TinyApp } from '../../testing/start-tiny-app.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'

const dialects = [
  { dialect: 'SQLite', postgresUrl: undefined },
  { dialect: 'PostgreSQL', postgresUrl: inject('postgresUrl') },
].filter(({ postgresUrl }) => postgresUrl !== '')

const trajectoryHeader = 'x-heddle-trajectory-id'

describe.each(dialects)('chats of a key that records them on $dialect', ({ postgresUrl }) => {
  let app: TrainingApp
  let model: string
  let model_id: string
  beforeAll(async () => {
    app = await startTrainingApp(postgresUrl === undefined ? {} : { postgresUrl })
    const project = `p-${randomUUID()}`
    ;({ id: model_id } = await app.client.models.create({ project, name: 'agent', base_model: 'table' }))
    model = `local/${project}/agent`
  })
  afterAll(() => app.close())

  const fetch = (input: string | URL | Request, init?: RequestInit) => app.service.fetch(new Request(input, init)) as Promise<Response>

  /** The published client, with nothing but a key and an address. */
  async function clientOf(recording: KeyRecording, defaultHeaders: Record<string, string> = {}) {
    const { secret } = await app.identity.createKey({ name: 'agent', role: 'writer', recording })
    return new OpenAI({ baseURL: 'http://heddle.test/v1/', apiKey: secret, maxRetries: 0, fetch, defaultHeaders })
  }
  const conversations = (group_id: string) => ({ trajectory_id: null, group_id })

  type Messages = OpenAI.ChatCompletionMessageParam[]
  const user = (content: string): Messages[number] => ({ role: 'user', content })
  /** The answer to a conversation, and the trajectory that the server names. */
  async function say(client: OpenAI, messages: Messages, body: { seed?: number; model?: string } = {}) {
    const { data, response } = await client.chat.completions.create({ model, messages, max_tokens: 6, ...body }).withResponse()
    const { headers } = response
    return { message: data.choices[0]!.message, trajectory: headers.get(trajectoryHeader), group: headers.get('x-heddle-group-id') }
  }
  const recordedIn = async (group_id: string) =>
    (await app.client.recordedTrajectories.list({ model_id, group_id })).data.map(({ id, calls }) => ({ id, calls }))

  async function historiesOf(trajectory_id: string) {
    const { group_id } = await app.client.recordedTrajectories.finish({ model_id, trajectory_id, reward: 1 })
    for await (const group of await app.client.recordedTrajectories.groups({ model_id, group_id })) {
      const found = group.trajectories.find(({ metadata }) => metadata['trajectory_id'] === trajectory_id)
      if (found) return [{ messages_and_choices: found.messages_and_choices }, ...found.additional_histories]
    }
    throw new Error(`trajectory ${trajectory_id} is in no group`)
  }
  const sampledIn = (elements: readonly object[]) => elements.filter((element) => 'token_ids' in element)

  test('each conversation is a trajectory of the group of the key, and what continues it is in the same history with its tokens', async () => {
    const client = await clientOf(conversations('turns'))
    const messages: Messages = [{ role: 'system', content: 'Be brief.' }, user('one')]
    const first = await say(client, messages)
    messages.push(first.message, user('two'))
    const second = await say(client, messages)
    messages.push(second.message, user('three'))
    const streamed = client.chat.completions.stream({ model, messages, max_tokens: 5, seed: 3 })
    await streamed.finalChatCompletion()
    const other = await say(client, [user('something else')])
    expect(second.trajectory).toBe(first.trajectory)
    expect(other.trajectory).not.toBe(first.trajectory)
    expect(await recordedIn('turns')).toEqual([
      { id: first.trajectory, calls: 3 },
      { id: other.trajectory, calls: 1 },
    ])
    const histories = await historiesOf(first.trajectory!)
    expect(histories.map(({ messages_and_choices: all }) => [all.length, sampledIn(all).length])).toEqual([[7, 3]])
  })

  test('the same first request is another attempt each time, and each continues in its own trajectory, even where all answers are equal', async () => {
    const client = await clientOf(conversations('attempts'))
    const firsts = await Promise.all([1, 1, 1].map((seed) => say(client, [user('task')], { seed })))
    expect(new Set(firsts.map(({ message }) => message.content)).size).toBe(1)
    expect(new Set(firsts.map(({ trajectory }) => trajectory)).size).toBe(3)
    const nexts = await Promise.all(firsts.map(({ message }) => say(client, [user('task'), message, user('go on')])))
    expect(nexts.map(({ trajectory }) => trajectory).toSorted()).toEqual(firsts.map(({ trajectory }) => trajectory).toSorted())
    expect((await recordedIn('attempts')).map(({ calls }) => calls)).toEqual([2, 2, 2])
  })

  test('a sub-agent and a summarized conversation begin trajectories, and a changed system prompt and an edited turn do not', async () => {
    const client = await clientOf(conversations('branches'))
    const system = (content: string): Messages[number] => ({ role: 'system', content })
    const first = await say(client, [system('It is 9:00.'), user('task')])
    const later = await say(client, [system('It is 9:01.'), user('task'), first.message, user('next')])
    const edited = await say(client, [system('It is 9:02.'), user('task'), first.message, user('next, please')])
    expect([later.trajectory, edited.trajectory]).toEqual([first.trajectory, first.trajectory])
    const helper = await say(client, [system('You help an agent.'), user('look for it')])
    const summary = await say(client, [system('It is 9:03.'), user('So far: task, next.'), user('go on')])
    expect(new Set([first, helper, summary].map(({ trajectory }) => trajectory)).size).toBe(3)
    expect(await historiesOf(first.trajectory!)).toHaveLength(3)
  })

  test('a stream that the client leaves is not trained on, and the request that is sent again continues in its trajectory', async () => {
    const client = await clientOf(conversations('dropped'))
    const { generate } = app.engine
    app.engine.generate = async function* (request, signal) {
      let count = 0
      for await (const tokens of generate(request, signal)) {
        yield tokens
        if (++count === 3) await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      }
    }
    const { data: stream, response } = await client.chat.completions
      .create({ model, messages: [user('task')], max_tokens: 6, seed: 1, stream: true })
      .withResponse()
    for await (const _chunk of stream) break
    app.engine.generate = generate
    await expect.poll(() => recordedIn('dropped')).toHaveLength(1)
    const again = await say(client, [user('task')], { seed: 1 })
    expect(again.trajectory).toBe(response.headers.get(trajectoryHeader))
    expect((await say(client, [user('task')])).trajectory).not.toBe(again.trajectory)
    const histories = await historiesOf(again.trajectory!)
    expect(histories.flatMap(({ messages_and_choices: all }) => sampledIn(all))).toHaveLength(1)
  })

  test('a key that names a trajectory records everything in it', async () => {
    const client = await clientOf({ trajectory_id: 'session-1', group_id: 'sessions' })
    for (const text of ['task', 'task', 'helper']) expect((await say(client, [user(text)])).trajectory).toBe('session-1')
    expect(await recordedIn('sessions')).toEqual([{ id: 'session-1', calls: 3 }])
  })

  test('a header wins over what the key names, each for itself', async () => {
    const recording = { trajectory_id: 'of-key', group_id: 'group-of-key' }
    const headers = { [trajectoryHeader]: 'of-header' }
    expect((await say(await clientOf(recording, headers), [user('a')])).trajectory).toBe('of-header')
    expect(await recordedIn('group-of-key')).toEqual([{ id: 'of-header', calls: 1 }])
    const grouped = await clientOf({ ...recording, trajectory_id: 'other' }, { 'x-heddle-group-id': 'group-of-header' })
    await say(grouped, [user('a')])
    expect(await recordedIn('group-of-header')).toEqual([{ id: 'other', calls: 1 }])
  })

  async function fill(group_id: string, trajectories: number) {
    const rest = { rollout_id: null, trace_id: null, status: 'open', calls: 0, bytes: 0, outcome: null, finished_at: null }
    const at = Date.now() * 1_000
    const rows = Array.from({ length: trajectories }, () => ({ project_id: 'p', model_id, id: randomUUID(), group_id, ...rest }))
    const values = rows.map((row) => ({ ...row, created_at: at, touched_at: at }))
    await app.database.insertInto('recorded_trajectories').values(values).execute()
  }
  const change = (id: string, values: { calls?: number; bytes?: number }) =>
    app.database.updateTable('recorded_trajectories').set(values).where('model_id', '=', model_id).where('id', '=', id).execute()

  test('beyond 1,000 trajectories of a group, recording continues in the next group, and conversations that have begun stay where they are', async () => {
    const client = await clientOf(conversations('crowd'))
    const first = await say(client, [user('task')])
    expect(first.group).toBe('crowd')
    await fill('crowd', 999)
    const next = await say(client, [user('task')])
    const continued = await say(client, [user('task'), first.message, user('go on')])
    expect([next.group, continued.group, continued.trajectory]).toEqual(['crowd-2', 'crowd', first.trajectory])
    await fill('crowd-2', 999)
    const third = await say(client, [user('other')])
    expect(third.group).toBe('crowd-3')
    expect(await recordedIn('crowd-2')).toContainEqual({ id: next.trajectory, calls: 1 })
    expect(await historiesOf(next.trajectory!)).toHaveLength(1)
    const named = await clientOf(conversations('crowd'), { [trajectoryHeader]: 'named' })
    expect([(await say(named, [user('a')])).group, (await say(named, [user('b')])).group]).toEqual(['crowd-3', 'crowd-3'])
  })

  test('a conversation whose group holds 64 MiB continues in another trajectory of the next group, with what was said before as context', async () => {
    const client = await clientOf(conversations('heavy'))
    const first = await say(client, [user('task')])
    await change(first.trajectory!, { bytes: 64 * 2 ** 20 })
    const next = await say(client, [user('task'), first.message, user('go on')])
    expect([next.group, next.trajectory === first.trajectory]).toEqual(['heavy-2', false])
    const [history] = await historiesOf(next.trajectory!)
    expect([history!.messages_and_choices.length, sampledIn(history!.messages_and_choices).length]).toEqual([4, 1])
  })

  test('a trajectory that a key names continues in the next one once it is full or finished', async () => {
    const client = await clientOf({ trajectory_id: 'session', group_id: null })
    expect(await say(client, [user('a')])).toMatchObject({ trajectory: 'session', group: 'session' })
    await change('session', { calls: 1_000 })
    expect(await say(client, [user('b')])).toMatchObject({ trajectory: 'session-2', group: 'session-2' })
    await app.client.recordedTrajectories.finish({ model_id, trajectory_id: 'session-2', reward: 1 })
    expect(await say(client, [user('c')])).toMatchObject({ trajectory: 'session-3', group: 'session-3' })
    expect((await say(client, [user('d')])).trajectory).toBe('session-3')
  })

  /** Finishes a trajectory between the tokens of the next chat, and before its end. */
  function finishWhileSampling(trajectory_id: () => string) {
    const { generate } = app.engine
    app.engine.generate = async function* (request, signal) {
      app.engine.generate = generate
      let isFinished = false
      for await (const tokens of generate(request, signal)) {
        if (!isFinished) await app.client.recordedTrajectories.finish({ model_id, trajectory_id: trajectory_id(), reward: 1 })
        isFinished = true
        yield tokens
      }
    }
  }

  test('a chat succeeds whose trajectory finishes while it is sampled, and is recorded in the next one of the name, whole or as a stream', async () => {
    const client = await clientOf({ trajectory_id: 'late', group_id: 'late-ones' })
    await say(client, [user('a')])
    finishWhileSampling(() => 'late')
    expect(await say(client, [user('b')])).toMatchObject({ trajectory: 'late-2', group: 'late-ones' })
    finishWhileSampling(() => 'late-2')
    const stream = client.chat.completions.stream({ model, messages: [user('c')], max_tokens: 6 })
    expect((await stream.finalChatCompletion()).choices[0]!.finish_reason).toBe('length')
    expect(await recordedIn('late-ones')).toEqual(['late', 'late-2', 'late-3'].map((id) => ({ id, calls: 1 })))
    const [history] = await historiesOf('late-3')
    expect([history!.messages_and_choices[0], sampledIn(history!.messages_and_choices).length]).toEqual([user('c'), 1])
  })

  test('a conversation whose trajectory finishes while it is sampled begins another, in which it continues', async () => {
    const client = await clientOf(conversations('late-turns'))
    const first = await say(client, [user('task')])
    finishWhileSampling(() => first.trajectory!)
    const messages: Messages = [user('task'), first.message, user('go on')]
    const second = await say(client, messages)
    expect(second.trajectory).not.toBe(first.trajectory)
    const third = await say(client, [...messages, second.message, user('and on')])
    expect(third.trajectory).toBe(second.trajectory)
    const [history] = await historiesOf(second.trajectory!)
    expect(history!.messages_and_choices.map((element) => 'token_ids' in element)).toEqual([false, false, false, true, false, true])
  })

  test('a chat whose header names a trajectory that finishes while it is sampled is refused, and recorded nowhere', async () => {
    const client = await clientOf({ trajectory_id: 'unused', group_id: 'refused' }, { [trajectoryHeader]: 'named-late' })
    await say(client, [user('a')])
    finishWhileSampling(() => 'named-late')
    await expect(say(client, [user('b')])).rejects.toThrow('trajectory "named-late" is finished and accepts no more calls')
    expect(await recordedIn('refused')).toEqual([{ id: 'named-late', calls: 1 }])
  })

  test('a full group that a header names is refused, whatever the key names', async () => {
    await fill('named', 1_000)
    const client = await clientOf(conversations('of-key'), { 'x-heddle-group-id': 'named' })
    await expect(say(client, [user('a')])).rejects.toThrow(
      'group "named" has 1000 trajectories, which is the most; begin another, by another id in the header',
    )
  })

  test('a conversation that continues after its reward begins another trajectory, with what was said before as context', async () => {
    const client = await clientOf(conversations('after'))
    const first = await say(client, [user('task')])
    expect(await historiesOf(first.trajectory!)).toHaveLength(1)
    const next = await say(client, [user('task'), first.message, user('thanks')])
    expect(next.trajectory).not.toBe(first.trajectory)
    const [history] = await historiesOf(next.trajectory!)
    expect([history!.messages_and_choices.length, sampledIn(history!.messages_and_choices).length]).toEqual([4, 1])
  })

  test('a request that is repeated with its idempotency key is recorded once', async () => {
    const client = await clientOf(conversations('repeats'), { 'idempotency-key': 'k' })
    const [first, second] = [await say(client, [user('a')]), await say(client, [user('a')])]
    expect(second.trajectory).toBe(first.trajectory)
    expect((await historiesOf(first.trajectory!)).flatMap(({ messages_and_choices: all }) => sampledIn(all))).toHaveLength(1)
  })

  test('a conversation is that of its key, and is forgotten with its trajectory', async () => {
    const [mine, other] = [await clientOf(conversations('keys')), await clientOf(conversations('keys'))]
    const first = await say(mine, [user('task')])
    const next: Messages = [user('task'), first.message, user('next')]
    expect((await say(other, next)).trajectory).not.toBe(first.trajectory)
    await app.client.recordedTrajectories.delete({ model_id, trajectory_id: first.trajectory! })
    const rows = app.database.selectFrom('recorded_conversations').select('digest').where('trajectory_id', '=', first.trajectory!)
    expect(await rows.execute()).toEqual([])
    expect((await say(mine, next)).trajectory).not.toBe(first.trajectory)
  })

  test('chats with base models, prompts without a template and chats of pages are answered and not recorded', async () => {
    const recording = conversations('none')
    const { secret, key } = await app.identity.createKey({ name: 'agent', role: 'writer', recording })
    const client = await clientOf(recording)
    expect((await say(client, [user('a')], { model: 'table' })).trajectory).toBeNull()
    const { response } = await client.completions.create({ model, prompt: 'a', max_tokens: 2 }).withResponse()
    expect(response.headers.get(trajectoryHeader)).toBeNull()
    const { token } = await app.identity.startSession(await app.identity.authenticate(secret))
    const page = new OpenAI({ baseURL: 'http://heddle.test/v1/', apiKey: token, maxRetries: 0, fetch })
    expect((await say(page, [user('a')])).trajectory).toBeNull()
    expect([await recordedIn('none'), key.recording]).toEqual([[], recording])
  })
})

describe('a key that records, at the other addresses for chats', () => {
  let tiny: TinyApp
  let model: string
  let model_id: string
  beforeAll(async () => {
    tiny = await startTinyApp()
    ;({ id: model_id, name: model } = await tiny.createModel())
  })
  afterAll(() => tiny.close())

  const schema = { type: 'object' as const, properties: { a: { type: 'integer', minimum: 0, maximum: 9 } }, required: ['a'] }
  const newKey = async (group_id: string) =>
    (await tiny.app.identity.createKey({ name: 'agent', role: 'writer', recording: { trajectory_id: null, group_id } })).secret
  const seeded = (seed: number) => ({ seed }) as object
  const callsIn = async (group_id: string) =>
    (await tiny.app.client.recordedTrajectories.list({ model_id, group_id })).data.map(({ calls }) => calls)

  test('Messages with parallel tools continue in one trajectory', async () => {
    const client = new Anthropic({ baseURL: 'http://heddle.test', apiKey: await newKey('messages'), maxRetries: 0, fetch: tiny.fetch })
    const tools: Anthropic.Tool[] = [{ name: 'add', input_schema: { ...schema, additionalProperties: false }, strict: true }]
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'hi' }]
    for (let turn = 0; turn < 3; turn++) {
      const asked = { model, tools, messages, max_tokens: 200, tool_choice: { type: 'any' as const }, seed: turn }
      const { content } = turn === 1 ? await client.messages.stream(asked).finalMessage() : await client.messages.create(asked)
      const results = content.flatMap((block) =>
        block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: '7' }] : [],
      )
      expect(results.length).toBeGreaterThan(0)
      messages.push({ role: 'assistant', content }, { role: 'user', content: results })
    }
    expect(await callsIn('messages')).toEqual([3])
  })

  test('Responses continue in one trajectory, whether the conversation is sent again or named', async () => {
    const client = new OpenAI({ baseURL: 'http://heddle.test/v1', apiKey: await newKey('responses'), maxRetries: 0, fetch: tiny.fetch })
    const first = await client.responses.create({ model, input: 'hi', max_output_tokens: 5, ...seeded(1) })
    await client.responses.create({ model, input: 'more', previous_response_id: first.id, max_output_tokens: 5, ...seeded(2) })
    const input = [
      { role: 'user' as const, content: 'hi' },
      ...first.output,
      { role: 'user' as const, content: 'else' },
    ] as OpenAI.Responses.ResponseInput
    await client.responses.create({ model, input, max_output_tokens: 5, ...seeded(3) })
    expect(await callsIn('responses')).toEqual([3])
  })
})
