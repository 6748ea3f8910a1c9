import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const messages = [{ role: 'user', content: 'a question that is long enough to be worth a marker in the raw span' }]

const listOf = (attributes: Record<string, string>) =>
  Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }))

async function sendSpan(project: string, attributes: Record<string, string>, resource: Record<string, string> = {}): Promise<void> {
  const span = {
    traceId: randomUUID().replaceAll('-', ''),
    spanId: randomUUID().replaceAll('-', '').slice(0, 16),
    name: 'chat',
    startTimeUnixNano: '1767225600000000000',
    endTimeUnixNano: '1767225601000000000',
    attributes: listOf(attributes),
  }
  const bytes = Buffer.from(
    JSON.stringify({ resourceSpans: [{ resource: { attributes: listOf(resource) }, scopeSpans: [{ spans: [span] }] }] }),
  )
  await app.client.otel.exportTrace({ bytes, content_type: 'application/json', project_id: project })
}

async function count(project_id: string, path: string, text: string): Promise<number> {
  const query = { $expr: { $eq: [{ $getField: path }, { $literal: text }] } }
  return (await app.client.calls.queryStats({ project_id, query: query as never })).count
}

test('a path into the raw span reads what the call keeps elsewhere', async () => {
  const project = app.newProject()
  await sendSpan(project, { 'gen_ai.input.messages': JSON.stringify(messages), 'gen_ai.request.model': 'm', 'app.tier': 'pro' })
  const content = messages[0]?.content ?? ''
  expect(await count(project, 'attributes.otel_span.attributes.gen_ai.input.messages.0.content', content)).toBe(1)
  expect(await count(project, 'attributes.otel_span.attributes.app.tier', 'pro')).toBe(1)
  expect(await count(project, 'attributes.otel_span.name', 'chat')).toBe(1)
})

test('a path into the raw span of a plain span reads its attributes', async () => {
  const project = app.newProject()
  const target = '/a/path/that/is/long/enough/to/be/worth/a/marker/in/the/raw/span'
  await sendSpan(project, { 'http.target': target, 'http.method': 'GET' })
  expect(await count(project, 'attributes.otel_span.attributes.http.target', target)).toBe(1)
  expect(await count(project, 'attributes.http.target', target)).toBe(1)
})

test('a span is found by attributes of its own and of its resource, whether the index holds their texts or not', async () => {
  const project = app.newProject()
  const long = 'a sentence that is far too long to be worth a place in an index '.repeat(4)
  await sendSpan(project, { 'app.tenant': 'acme', 'app.note': long, 'app.list': '["x","y"]' }, { 'service.name': 'checkout' })
  await sendSpan(project, { 'app.tenant': 'other' }, { 'service.name': 'checkout' })
  const span = 'attributes.otel_span.attributes'
  expect(await count(project, `${span}.app.tenant`, 'acme')).toBe(1)
  expect(await count(project, `${span}.app.note`, long)).toBe(1)
  expect(await count(project, `${span}.app.list.1`, 'y')).toBe(1)
  expect(await count(project, `${span}.app.absent`, 'acme')).toBe(0)
  expect(await count(project, 'attributes.otel_span.resource.attributes.service.name', 'checkout')).toBe(2)
})

test('an end that comes later replaces the output and leaves the raw span whole', async () => {
  const project_id = app.newProject()
  const answer = JSON.stringify([{ role: 'assistant', content: 'an answer that is long enough to be worth a marker in the raw span' }])
  await sendSpan(project_id, { 'gen_ai.output.messages': answer, 'gen_ai.request.model': 'm' })
  const [sent] = (await app.client.calls.query({ project_id })).calls
  await app.client.calls.end({ end: { project_id, id: sent?.id ?? '', ended_at: '2026-01-01T00:00:05Z', output: 'other', summary: {} } })
  const { call } = await app.client.calls.read({ project_id, id: sent?.id ?? '' })
  expect(call).toMatchObject({
    output: 'other',
    attributes: { otel_span: { attributes: { gen_ai: { output: { messages: JSON.parse(answer) as unknown } } } } },
  })
})
