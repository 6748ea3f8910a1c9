import { displayNameOf } from '@heddle/core-api'
import type { Call, TraceCall } from '@heddle/core-api/types'
import { readConversation, readNode, readUsage, type SettledTrace, settleTrace, type TokenCounts } from '@heddle/trace-model'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Expected,
  expectMessages,
  type ExpectedModelCall,
  isMatch,
  recordedFiles,
  recordings,
  sendRecording,
  totalsOf,
} from '../../testing/recordings.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

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
      return { calls: own, nodes, settled: settle(own, nodes) }
    }),
  )
}

/** Dollars for a million tokens by the lists of the providers: plain input, read from and written to a cache, output. By the names that recordings have. */
const prices: [RegExp, { input: number; read: number; written: number; output: number }][] = [
  [/^([a-z]+\/)?gpt-5-mini(-2025-08-07)?$/, { input: 0.25, read: 0.025, written: 0.25, output: 2 }],
  [/^([a-z]+\/)?claude-sonnet-4-5(-20250929)?$/, { input: 3, read: 0.3, written: 3.75, output: 15 }],
  [/^([a-z]+\/)?gemini-2\.5-pro$/, { input: 1.25, read: 0.125, written: 1.25, output: 10 }],
  [/^([a-z]+\/)?text-embedding-3-small$/, { input: 0.02, read: 0.02, written: 0.02, output: 0 }],
]

const hasPrice = (model: string) => prices.some(([name]) => name.test(model))

/** What a use costs; of a model without a price, what its calls say. Null when neither is known. */
function costOf(model: string, counts: TokenCounts): number | null {
  const price = prices.find(([name]) => name.test(model))?.[1]
  if (price === undefined) return counts.reportedCosts > 0 ? counts.reportedNanos / 1e9 : null
  const { input, cacheRead, cacheWrite, output } = counts
  const plain = input - cacheRead - cacheWrite
  return (plain * price.input + cacheRead * price.read + cacheWrite * price.written + output * price.output) / 1e6
}

/** The list of traces, by id. */
async function readTotals(project_id: string, trace_ids: string[]) {
  const { traces } = await app.client.calls.traceTotals({ project_id, trace_ids })
  return new Map(traces.map((trace) => [trace.trace_id, trace]))
}

function settle(calls: readonly Call[], nodes: readonly TraceCall[]): SettledTrace {
  const summaries = new Map(calls.map(({ id, summary }) => [id, summary]))
  const settled = settleTrace(nodes.map((node) => ({ ...readNode({ ...node, summary: summaries.get(node.id) }), status: node.status })))
  if (settled === undefined) throw new Error('the trace has no calls')
  return settled
}

/** Calls of a name, without those that wrap another one of it. */
function modelCallsOf(calls: readonly Call[], pattern: string): Call[] {
  const named = calls.filter((call) => isMatch(pattern, displayNameOf(call)))
  return named.filter(({ id }) => !named.some(({ parent_id }) => parent_id === id))
}
function expectModelCall(call: Call, { model }: Expected, expected: ExpectedModelCall): void {
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

test('each recording is checked', () => expect(recordings.map(({ name }) => name).toSorted()).toEqual(recordedFiles.toSorted()))

type Recording = (typeof recordings)[number]

async function sendAndRead(recording: Recording) {
  const project = app.newProject()
  await sendRecording(recording, {
    apiKey: app.apiKey,
    project,
    fetch: (path, init) => app.service.fetch(new Request(`http://heddle.test${path}`, init)),
  })
  const traces = await readTraces(project)
  const ids = traces.flatMap(({ calls }) => calls[0]?.trace_id ?? [])
  return { traces, totals: await readTotals(project, ids) }
}

/** Recordings of a batch are sent and read together, since their reads share the flushes of their rows. */
const batchSize = 8
const batches = new Map<number, Promise<Awaited<ReturnType<typeof sendAndRead>>[]>>()

async function readInBatch(recording: Recording) {
  const at = recordings.indexOf(recording)
  const first = at - (at % batchSize)
  const batch = batches.get(first) ?? Promise.all(recordings.slice(first, first + batchSize).map(sendAndRead))
  batches.set(first, batch)
  return (await batch)[at - first]!
}

describe.each(recordings)('the recording $name', (recording) => {
  const { expected } = recording
  let traces: Awaited<ReturnType<typeof readTraces>>
  let totals: Awaited<ReturnType<typeof readTotals>>
  beforeAll(async () => {
    ;({ traces, totals } = await readInBatch(recording))
  })

  test('has its traces, with their roots, threads and states', () => {
    const seen = traces.map(({ calls, settled }) => {
      const root = calls.find(({ id }) => id === settled.rootId)
      return root && displayNameOf(root)
    })
    expect(seen).toEqual(expected.traces.map(({ root }) => root))
    for (const [at, { thread, failed }] of expected.traces.entries()) {
      if (thread !== undefined) expect(traces[at]?.settled.threadId).toBe(thread)
      if (failed === true) expect(traces[at]?.settled.status).toMatch(/error/)
    }
  })

  test('has its model calls, with their messages, models and usage', () => {
    for (const [at, { model_calls: wanted }] of expected.traces.entries()) {
      const own = modelCallsOf(traces[at]?.calls ?? [], expected.model_call_span)
      expect(own).toHaveLength(wanted.length)
      wanted.forEach((each, index) => expectModelCall(own[index]!, expected, each))
      const marks = new Map(traces[at]?.nodes.map(({ id, is_model_call }) => [id, is_model_call]))
      // A call that failed may report nothing that says what it was.
      const answered = own.filter((_, index) => wanted[index]?.failed !== true)
      expect(answered.map(({ id }) => marks.get(id))).toEqual(answered.map(() => true))
    }
  })

  test('counts each request once', () => {
    for (const [at, trace] of expected.traces.entries()) {
      const usage = traces[at]?.settled.usage ?? []
      const counted = (['input', 'output'] as const).map((count) => usage.reduce((total, { counts }) => total + counts[count], 0))
      expect(totalsOf(trace)).toContainEqual(counted)
    }
  })

  test('is listed with the roots, states, tokens and costs of its traces, and marks costs that the spans carry', () => {
    for (const { calls, settled } of traces) {
      const { status, rootId, threadId } = settled
      const counted = settled.usage.map(({ model, counts }) => ({ counts, cost: costOf(model, counts) }))
      const reported = settled.usage.filter(({ model }) => !hasPrice(model)).map(({ counts }) => counts.reportedCosts)
      const costs = counted.flatMap(({ cost }) => cost ?? [])
      expect(totals.get(calls[0]!.trace_id)).toMatchObject({
        root_call_id: rootId,
        thread_id: threadId,
        status,
        calls: calls.length,
        reported_uses: reported.reduce((sum, uses) => sum + uses, 0),
        tokens: counted.reduce((total, { counts }) => total + counts.total, 0) || null,
        cost:
          costs.length === 0
            ? null
            : expect.closeTo(
                costs.reduce((total, cost) => total + cost, 0),
                12,
              ),
      })
    }
  })

  test('has the input and output of its tools', () => {
    const { tool_span: tool } = expected
    if (tool === undefined) return
    const call = traces.flatMap(({ calls }) => calls).find((each) => displayNameOf(each) === tool.name)
    const nodes = traces.flatMap((trace) => trace.nodes)
    expect(nodes.find(({ id }) => id === call?.id)).toMatchObject({ kind: tool.kind ?? 'tool', is_model_call: false })
    expect([JSON.stringify(call?.inputs), JSON.stringify(call?.output)]).toEqual([
      expect.stringContaining(tool.input),
      expect.stringContaining(tool.output),
    ])
  })
})
