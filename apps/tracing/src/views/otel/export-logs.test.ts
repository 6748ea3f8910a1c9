import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

type Json = Record<string, unknown>

const ids = { traceId: '0102030405060708090a0b0c0d0e0f10', spanId: '0102030405060708' }
const nanoseconds = 1_772_323_200_000_000_000n

/** A record of an event, so many nanoseconds after the first. */
const record = (eventName: string, body: Json | string | null, at = 0, over: Json = {}): Json => ({
  ...ids,
  timeUnixNano: String(nanoseconds + BigInt(at)),
  eventName,
  ...(body !== null && { body: { stringValue: typeof body === 'string' ? body : JSON.stringify(body) } }),
  ...over,
})
const aSpan = (attributes: Json[] = []): Json => ({
  ...ids,
  name: 'chat m',
  startTimeUnixNano: String(nanoseconds),
  endTimeUnixNano: String(nanoseconds + 1_000_000n),
  attributes,
})
const headers = (project_id: string) => ({ 'content-type': 'application/json', 'project-id': project_id })
const sendLogs = (project_id: string, ...logRecords: Json[]) =>
  sendRaw(app, { path: '/otel/v1/logs', body: { resourceLogs: [{ scopeLogs: [{ logRecords }] }] }, headers: headers(project_id) })
const sendSpan = (project_id: string, span = aSpan()) =>
  sendRaw(app, { path: '/otel/v1/traces', body: { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }, headers: headers(project_id) })
const callIn = async (project_id: string) => {
  const { call } = await app.client.calls.read({ project_id, id: ids.spanId })
  if (call === null) throw new Error('the call of the span is not there')
  return call
}

const question = record('gen_ai.user.message', { role: 'user', content: 'Why?' }, 1)
const answer = record('gen_ai.choice', { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Because.' } }, 2)
const messages = {
  inputs: { 'events.gen_ai.messages': [{ role: 'user', content: 'Why?', time_unix_nano: String(nanoseconds + 1n) }] },
  output: {
    'events.gen_ai.choice': [
      {
        role: 'assistant',
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: 'Because.' },
        time_unix_nano: String(nanoseconds + 2n),
      },
    ],
  },
}

test.each(['/otel/v1/logs', '/v1/logs', '/agents/otel/v1/logs'])(
  'the path %s takes log records, as exporters append it to their base address',
  async (path) => {
    const project_id = app.newProject()
    await sendSpan(project_id)
    const body = { resourceLogs: [{ scopeLogs: [{ logRecords: [question, answer] }] }] }
    expect(await sendRaw(app, { path, body, headers: headers(project_id) })).toMatchObject({ status: 200 })
    expect(await callIn(project_id)).toMatchObject(messages)
  },
)

describe('messages that are logged become input and output of the call of their span', () => {
  test.each<[string, (project: string) => (() => Promise<unknown>)[]]>([
    ['before it', (project) => [() => sendLogs(project, question, answer), () => sendSpan(project)]],
    ['after it', (project) => [() => sendSpan(project), () => sendLogs(project, question, answer)]],
    ['around it', (project) => [() => sendLogs(project, question), () => sendSpan(project), () => sendLogs(project, answer)]],
    ['in two exports', (project) => [() => sendLogs(project, answer), () => sendLogs(project, question), () => sendSpan(project)]],
    ['again', (project) => [() => sendLogs(project, question, answer), () => sendSpan(project), () => sendLogs(project, question, answer)]],
    [
      'before the span is sent again',
      (project) => [() => sendSpan(project), () => sendLogs(project, question, answer), () => sendSpan(project)],
    ],
  ])('when they arrive %s', async (_name, send) => {
    const project = app.newProject()
    for (const next of send(project)) expect(await next()).toMatchObject({ status: 200, body: {} })
    expect(await callIn(project)).toMatchObject(messages)
    expect(await app.client.calls.queryStats({ project_id: project })).toMatchObject({ count: 1 })
  })

  test('in the order of their times, and as often as they were said', async () => {
    const project = app.newProject()
    await sendSpan(project)
    await sendLogs(project, record('gen_ai.user.message', 'yes', 3), record('gen_ai.user.message', 'yes', 2))
    await sendLogs(project, record('gen_ai.system.message', 'Be brief.', 1), record('gen_ai.user.message', 'yes', 2))
    const { inputs } = await callIn(project)
    expect((inputs as typeof messages.inputs)['events.gen_ai.messages'].map(({ content }) => content)).toEqual(['Be brief.', 'yes', 'yes'])
  })

  test('they are found by a query for their texts', async () => {
    const project = app.newProject()
    await sendSpan(project)
    await sendLogs(project, question)
    const contains = { $contains: { input: { $getField: 'inputs' }, substr: { $literal: 'Why?' } } }
    expect(await app.client.calls.queryStats({ project_id: project, query: { $expr: contains } })).toMatchObject({ count: 1 })
  })
})

test('no call is shown before its span arrives', async () => {
  const project = app.newProject()
  await sendLogs(project, question)
  expect(await app.client.calls.queryStats({ project_id: project })).toMatchObject({ count: 0 })
})

test('what the span says itself stays', async () => {
  const project = app.newProject()
  const own = { key: 'gen_ai.input.messages', value: { stringValue: '[{"role":"user","content":"Own"}]' } }
  await sendLogs(project, question)
  await sendSpan(project, aSpan([own]))
  await sendLogs(project, question, answer)
  expect(await callIn(project)).toMatchObject({
    inputs: { 'gen_ai.input.messages': [{ role: 'user', content: 'Own' }] },
    output: messages.output,
  })
})

test('the details of an inference hold all messages of it', async () => {
  const project = app.newProject()
  const json = (key: string, value: unknown) => ({ key, value: { stringValue: JSON.stringify(value) } })
  const details = record('', null, 1, {
    attributes: [
      { key: 'event.name', value: { stringValue: 'gen_ai.client.inference.operation.details' } },
      json('gen_ai.system_instructions', [{ type: 'text', content: 'Be brief.' }]),
      json('gen_ai.input.messages', [{ role: 'user', parts: [{ type: 'text', content: 'Why?' }] }]),
      json('gen_ai.output.messages', [{ role: 'assistant', parts: [{ type: 'text', content: 'Because.' }] }]),
    ],
  })
  await sendSpan(project)
  expect(await sendLogs(project, details)).toMatchObject({ status: 200, body: {} })
  expect(await callIn(project)).toMatchObject({
    inputs: {
      'events.gen_ai.messages': [
        { role: 'system', parts: [{ content: 'Be brief.' }] },
        { role: 'user', parts: [{ content: 'Why?' }] },
      ],
    },
    output: { 'events.gen_ai.choice': [{ role: 'assistant', parts: [{ content: 'Because.' }] }] },
  })
})

describe('records that belong to no call are counted, with the reason:', () => {
  test.each<[string, Json, RegExp]>([
    ['a record of a program', record('', 'started'), /only events of generative AI/],
    ['a message without a span', record('gen_ai.user.message', 'x', 0, { spanId: '' }), /names no span/],
    ['a message with a span of zeros', record('gen_ai.user.message', 'x', 0, { spanId: '0'.repeat(16) }), /names no span/],
  ])('%s', async (_name, refused, reason) => {
    const project = app.newProject()
    const { status, body } = await sendLogs(project, refused, question)
    expect([status, body]).toEqual([
      200,
      { partialSuccess: { rejectedLogRecords: '1', errorMessage: expect.stringMatching(reason) as unknown } },
    ])
    await sendSpan(project)
    expect((await callIn(project)).inputs).toEqual(messages.inputs)
  })
})

test('records without a project are refused as a whole', async () => {
  const sent = { path: '/otel/v1/logs', body: { resourceLogs: [{ scopeLogs: [{ logRecords: [question] }] }] } }
  expect(await sendRaw(app, { ...sent, headers: { 'content-type': 'application/json' } })).toMatchObject({ status: 400 })
})

test('texts under keys that name credentials are masked', async () => {
  const project = app.newProject()
  await sendSpan(project)
  await sendLogs(project, record('gen_ai.user.message', { content: 'x', api_key: 'hidden' }))
  expect(JSON.stringify((await callIn(project)).inputs)).not.toContain('hidden')
})

test('a deleted call stays deleted', async () => {
  const project = app.newProject()
  await sendSpan(project)
  await app.client.calls.delete({ project_id: project, call_ids: [ids.spanId] })
  expect(await sendLogs(project, question)).toMatchObject({ status: 200 })
  expect(await app.client.calls.queryStats({ project_id: project })).toMatchObject({ count: 0 })
})
