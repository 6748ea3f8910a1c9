import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { type Call, parseTimestamp, type TraceCall } from '@heddle/core-api'
import { type Message, readConversation, readUsage, type SettledTrace, settleTrace } from '@heddle/trace-model'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

/** Bodies as published instrumentations sent them. */
interface Recording {
  bodies: { signal: 'traces' | 'logs'; type: string; base64: string }[]
}

interface ExpectedMessage {
  /** Null where the recording says no role. */
  role: string | null
  has: string[]
}

interface ExpectedCall {
  input?: number
  output?: number
  cached?: number
  written?: number
  reasoning?: number
  failed?: boolean
  /** Null where the call names none. */
  model?: null
  in?: ExpectedMessage[]
  out?: ExpectedMessage[]
}

/** What is true of a recording. A text between slashes is a regular expression. */
interface Expected {
  model: string
  model_call_span: string
  tool_span?: { name: string; input: string; output: string }
  traces: { root: string; thread?: string; failed?: boolean; or_total?: [number, number]; model_calls: ExpectedCall[] }[]
}

const folder = new URL('../../vectors/instrumentations/', import.meta.url)
const expectations = JSON.parse(readFileSync(new URL('expected.json', folder), 'utf8')) as Record<string, Expected>
const recordingOf = (name: string) => JSON.parse(gunzipSync(readFileSync(new URL(`${name}.json.gz`, folder))).toString()) as Recording

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

async function send(name: string, project_id: string): Promise<void> {
  for (const { signal, type, base64 } of recordingOf(name).bodies) {
    const bytes = Buffer.from(base64, 'base64')
    await app.client.otel[signal === 'traces' ? 'exportTrace' : 'exportLogs']({ 'project-id': project_id, content_type: type, bytes })
  }
}

async function listed<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const each of stream) all.push(each)
  return all
}

/** The traces of a project by their start: their calls as they are read, and what they settle to. */
async function readTraces(project_id: string) {
  const calls = await listed(app.client.calls.streamQuery({ project_id, sort_by: [{ field: 'started_at', direction: 'asc' }] }))
  const ids = [...new Set(calls.map(({ trace_id }) => trace_id))]
  return Promise.all(
    ids.map(async (id) => {
      const own = calls.filter(({ trace_id }) => trace_id === id)
      const nodes = await listed(app.client.calls.streamTrace({ project_id, call_id: own[0]?.id ?? '' }))
      return { calls: own, settled: settle(own, nodes) }
    }),
  )
}

function settle(calls: readonly Call[], nodes: readonly TraceCall[]): SettledTrace {
  const settled = settleTrace(
    nodes.map((node) => ({
      id: node.id,
      parentId: node.parent_id,
      startedAt: parseTimestamp(node.started_at) ?? 0,
      endedAt: node.ended_at === null ? null : (parseTimestamp(node.ended_at) ?? 0),
      status: node.status,
      isModelCall: node.is_model_call,
      scope: node.scope,
      wire: node.wire,
      threadId: node.thread_id,
      usage: readUsage(calls.find(({ id }) => id === node.id)?.summary),
    })),
  )
  if (settled === undefined) throw new Error('the trace has no calls')
  return settled
}

const spanNameOf = ({ attributes }: Call) => (attributes as { otel_span: { name: string } }).otel_span.name
const isMatch = (pattern: string, text: string) =>
  pattern.startsWith('/') && pattern.endsWith('/') ? new RegExp(pattern.slice(1, -1)).test(text) : pattern === text

/** That each message is there, in this order; parts of one message may stand for several. */
function expectMessages(messages: readonly Message[], expected: readonly ExpectedMessage[]): void {
  if (expected.length === 0) expect(messages).toEqual([])
  let at = 0
  for (const { role, has } of expected) {
    const found = messages.findIndex(
      (message, place) =>
        place >= at && (role === null || message.role === role) && has.every((text) => JSON.stringify(message).includes(text)),
    )
    expect([role, has, messages, found >= 0]).toEqual([role, has, messages, true])
    at = found
  }
}

function expectModelCall(call: Call, { model }: Expected, expected: ExpectedCall): void {
  const [used, ...others] = readUsage(call.summary)
  expect(others).toEqual([])
  const { input, output, cached, written, reasoning } = expected
  const counts = { input, output, cacheRead: cached, cacheWrite: written, reasoning }
  for (const [name, count] of Object.entries(counts)) if (count !== undefined) expect(used?.counts).toMatchObject({ [name]: count })
  if (input === undefined) expect(used).toBeUndefined()
  else expect(isMatch(model, used?.model ?? '')).toBe(true)
  if (expected.failed === true) expect(call.exception).not.toBeNull()
  const conversation = readConversation(call)
  if (expected.in) expectMessages(conversation.input, expected.in)
  if (expected.out) expectMessages(conversation.output, expected.out)
}

describe.each(Object.entries(expectations))('the recording %s', (name, expected) => {
  let traces: Awaited<ReturnType<typeof readTraces>>
  beforeAll(async () => {
    const project = app.newProject()
    await send(name, project)
    traces = await readTraces(project)
  })

  test('has its traces, with their roots, threads and states', () => {
    const seen = traces.map(({ calls, settled }) => {
      const root = calls.find(({ id }) => id === settled.rootId)
      return root && spanNameOf(root)
    })
    expect(seen).toEqual(expected.traces.map(({ root }) => root))
    for (const [at, { thread, failed }] of expected.traces.entries()) {
      if (thread !== undefined) expect(traces[at]?.settled.threadId).toBe(thread)
      if (failed === true) expect(traces[at]?.settled.status).toMatch(/error/)
    }
  })

  test('has its model calls, with their messages, models and usage', () => {
    for (const [at, { model_calls: wanted }] of expected.traces.entries()) {
      const own = (traces[at]?.calls ?? []).filter((call) => isMatch(expected.model_call_span, spanNameOf(call)))
      expect(own).toHaveLength(wanted.length)
      wanted.forEach((each, place) => expectModelCall(own[place]!, expected, each))
    }
  })

  test('counts each request once', () => {
    for (const [at, { model_calls: wanted, or_total: orTotal }] of expected.traces.entries()) {
      const sum = (count: 'input' | 'output') => wanted.reduce((total, each) => total + (each[count] ?? 0), 0)
      const usage = traces[at]?.settled.usage ?? []
      const counted = (['input', 'output'] as const).map((count) => usage.reduce((total, { counts }) => total + counts[count], 0))
      expect([[sum('input'), sum('output')], ...(orTotal ? [orTotal] : [])]).toContainEqual(counted)
    }
  })

  test('has the input and output of its tools', () => {
    const { tool_span: tool } = expected
    if (tool === undefined) return
    const call = traces.flatMap(({ calls }) => calls).find((each) => spanNameOf(each) === tool.name)
    expect([JSON.stringify(call?.inputs), JSON.stringify(call?.output)]).toEqual([
      expect.stringContaining(tool.input),
      expect.stringContaining(tool.output),
    ])
  })
})
