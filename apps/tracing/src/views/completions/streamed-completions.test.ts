import type { ServerResponse } from 'node:http'
import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createModelProviders } from '../../providers/model-providers.ts'
import { withOwnModels } from '../../providers/own-models.ts'
import { startTestApp, type TestApp, type TestServer } from '../../testing/start-test-app.ts'
import { startTestProvider, type TestProvider } from '../../testing/start-test-provider.ts'

const messages = [{ role: 'user', content: 'Hello' }]
const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
const said = (content: string, finish_reason: string | null = null) => ({ choices: [{ index: 0, delta: { content }, finish_reason }] })
const whole = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }], usage }

let app: TestApp
let server: TestServer
let provider: TestProvider

beforeAll(async () => {
  app = await startTestApp()
  provider = await startTestProvider()
  const configured = createModelProviders([{ name: 'openai', baseUrl: provider.baseUrl, apiKey: 'provider-secret' }], 'openai')
  server = await app.anotherServer({
    outgoing: createOutgoing({ allowed: parseAllowedTargets(['127.0.0.1']) }),
    providers: withOwnModels(configured, async () => ({ status: 'succeeded', body: whole })),
  })
})
afterAll(async () => {
  provider.close()
  await app.close()
})
beforeEach(() => provider.forget())

const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const begin = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
/** Sends these events, and with them the end. */
const reply = (...texts: string[]) => (provider.respond = (response) => void begin(response).end(texts.join('')))

type Line = Record<string, unknown>
function open(inputs: Line = {}, more: Line = {}, signal?: AbortSignal) {
  const project_id = app.newProject()
  const request = { project_id, inputs: { model: 'm', messages, ...inputs }, ...more }
  const lines = server.client.completions.createStream(request, signal && { signal }) as AsyncIterable<Line>
  return { project_id, lines: lines[Symbol.asyncIterator](), all: () => allOf(lines) }
}
async function allOf(lines: AsyncIterable<Line>): Promise<Line[]> {
  const all: Line[] = []
  for await (const line of lines) all.push(line)
  return all
}
const callsOf = async (project_id: string) => (await server.client.calls.query({ project_id })).calls
const textOf = (call: unknown) => (call as { output: typeof whole }).output.choices[0]?.message.content

/** A provider that has sent one chunk and waits. */
function pausedProvider() {
  let goOn: (rest: string) => void = () => {}
  const closed = new Promise<void>((resolve) => {
    provider.respond = (response) => {
      response.once('close', resolve)
      begin(response).write(event(said('Hel')))
      goOn = (rest) => void response.end(rest)
    }
  })
  return { closed, goOn: (rest: string) => goOn(rest) }
}

describe('a streamed completion', () => {
  test('comes as the id of its call and the chunks of the provider, and is recorded as a whole', async () => {
    const [first, second, last] = [said('Hel'), said('lo', 'stop'), { choices: [], usage }]
    reply(': comment\n\n', event(first), event(second).replaceAll('\n', '\r\n'), event(last), 'data: [DONE]\n\n')
    const { project_id, all } = open({ metadata: { api_key: 'typed-secret' } }, { trace_id: 'trace', conversation_id: 'talk' })
    const lines = await all()
    const [call, ...others] = await callsOf(project_id)
    expect(lines).toEqual([{ _meta: { weave_call_id: call?.id } }, first, second, last])
    expect(others).toEqual([])
    expect(call).toMatchObject({
      trace_id: 'trace',
      thread_id: 'talk',
      op_name: 'weave.completions_create',
      inputs: { model: 'm', messages, metadata: { api_key: 'REDACTED' } },
      output: { choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }], usage },
      summary: { usage: { m: { ...usage, requests: 1 } } },
      exception: null,
    })
    expect(provider.asked).toMatchObject([
      {
        url: '/v1/chat/completions',
        headers: { authorization: 'Bearer provider-secret' },
        body: { model: 'm', messages, stream: true, stream_options: { include_usage: true } },
      },
    ])
  })

  test('is passed on while the provider still speaks', async () => {
    const { goOn } = pausedProvider()
    const { lines, project_id } = open()
    expect([await lines.next(), await lines.next()]).toMatchObject([{ value: { _meta: {} } }, { value: said('Hel') }])
    expect(await callsOf(project_id)).toEqual([])
    goOn(event(said('lo')))
    expect([await lines.next(), await lines.next()]).toMatchObject([{ value: said('lo') }, { done: true }])
    expect((await callsOf(project_id)).map(textOf)).toEqual(['Hello'])
  })

  test('with track_llm_call false is its chunks alone, and not recorded', async () => {
    reply(event(said('Hi')))
    const { all, project_id } = open({ stream_options: null }, { track_llm_call: false })
    expect([await all(), await callsOf(project_id)]).toEqual([[said('Hi')], []])
    expect(provider.asked).toMatchObject([{ body: { stream_options: null } }])
  })

  test.each([
    ['a provider that does not stream', 'm'],
    ['a model of this server', 'heddle/m'],
  ])('of %s is one chunk', async (_whose, model) => {
    provider.reply = { status: 200, body: JSON.stringify(whole) }
    const { all, project_id } = open({ model })
    expect(await all()).toMatchObject([
      { _meta: {} },
      { object: 'chat.completion.chunk', choices: [{ delta: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }], usage },
    ])
    expect(await callsOf(project_id)).toMatchObject([{ output: whole, summary: { usage: { [model]: usage } } }])
  })
})

describe('a client that leaves', () => {
  test.each<[string, (leaving: AbortController, lines: AsyncIterator<Line>) => Promise<unknown>]>([
    ['aborts', (leaving, lines) => (leaving.abort(new Error('stopped')), lines.next().catch(() => undefined))],
    ['leaves its loop', (_leaving, lines) => lines.return!()],
  ])('ends the request of the provider, and what came is recorded with the reason: it %s', async (_how, leave) => {
    const { closed } = pausedProvider()
    const leaving = new AbortController()
    const { lines, project_id } = open({}, {}, leaving.signal)
    await lines.next()
    await lines.next()
    await leave(leaving, lines)
    await closed
    await expect.poll(() => callsOf(project_id)).toHaveLength(1)
    const [call] = await callsOf(project_id)
    expect([textOf(call), call?.exception]).toEqual(['Hel', 'the client closed the connection before the response was whole'])
  })

  test('gives its place back, so that a project that has all places taken gets one', async () => {
    const project_id = app.newProject()
    const atPlace = () => server.client.completions.createStream({ project_id, inputs: { model: 'm', messages } })[Symbol.asyncIterator]()
    pausedProvider()
    const taken = Array.from({ length: 8 }, atPlace)
    await Promise.all(taken.map((lines) => lines.next()))
    await expect(atPlace().next()).rejects.toMatchObject({ status: 429 })
    await taken[0]!.return!()
    reply(event(said('Hi')))
    const next = () =>
      atPlace()
        .next()
        .then(({ value }) => value as unknown, String)
    await expect.poll(next).toMatchObject({ _meta: {} })
    await Promise.all(taken.map((lines) => lines.return!()))
  })
})

describe('a failure', () => {
  test.each([
    [400, '{"error":{"message":"Your prompt is too long"}}', 400, 'Your prompt is too long'],
    [429, '{"error":{"message":"Too fast"}}', 503, 'Too fast'],
    [500, '<html>', 503, 'provider "openai" responded with status 500, without a JSON object'],
  ])(
    'of the provider with %i before the first chunk is a status with the reason and the id of the call',
    async (status, body, own, reason) => {
      provider.reply = { status, body }
      const { all, project_id } = open()
      const error = (await all().catch((thrown: unknown) => thrown)) as { extra: { weave_call_id: string } }
      const id = error.extra.weave_call_id
      expect(error).toMatchObject({ status: own, message: expect.stringContaining(reason) })
      expect(await callsOf(project_id)).toMatchObject([{ id, exception: reason, output: { error: reason } }])
    },
  )

  test.each([
    ['', 'the provider ended its response before the first chunk', 503],
    ['data: half', 'provider "openai" sent an event that is not a JSON object', 400],
  ])('instead of a first chunk is a status: %j', async (text, reason, status) => {
    reply(text)
    await expect(open().all()).rejects.toMatchObject({ status, message: expect.stringContaining(reason) })
  })

  const huge = event(said('x'.repeat(9 * 2 ** 20)))
  test.each<[string, (rest: (text: string) => void) => void, string]>([
    ['of the model', (send) => send(event({ error: { message: 'The model is gone' } })), 'The model is gone'],
    ['of the form', (send) => send('data: {"half\n\n'), 'provider "openai" sent an event that is not a JSON object'],
    ['of its length', (send) => send(huge), 'the response is longer than 8388608 bytes'],
  ])('%s after the first chunk is the last line, and what came is recorded with it', async (_what, fail, error) => {
    const { goOn } = pausedProvider()
    const { lines, project_id } = open()
    await lines.next()
    await lines.next()
    fail(goOn)
    expect([await lines.next(), await lines.next()]).toEqual([
      { value: { error }, done: false },
      { value: undefined, done: true },
    ])
    const [call] = await callsOf(project_id)
    expect(call).toMatchObject({ exception: error, output: { error, choices: [{ message: { content: 'Hel' } }] } })
  })

  test('of the connection after the first chunk is the last line', async () => {
    provider.respond = (response) => begin(response).write(event(said('Hel')), () => response.destroy())
    expect(await open().all()).toMatchObject([{ _meta: {} }, said('Hel'), { error: expect.stringContaining('cannot reach 127.0.0.1') }])
  })
})

test.each([
  [{ model: ' ' }, 'inputs.model must name a model'],
  [{ messages: [] }, 'inputs.messages must hold at least one message'],
  [{ prompt: 'weave:///a/b/object/c:d' }, 'inputs.prompt is not supported'],
])('a request with %j is refused before a provider is asked', async (inputs, reason) => {
  await expect(open(inputs).all()).rejects.toMatchObject({ status: 400, message: expect.stringContaining(reason) })
  expect(provider.asked).toEqual([])
})
