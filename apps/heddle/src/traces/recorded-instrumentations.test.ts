import { displayNameOf } from '@heddle/core-api'
import type { Call } from '@heddle/core-api/types'
import { readUsage, type TracedMessage } from '@heddle/trace-model'
import { type Expected, type ExpectedTrace, isMatch, recordings, sendRecording, totalsOf } from '@heddle/tracing/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openSurfaces, type Surfaces } from '../testing/surfaces.ts'

let surfaces: Surfaces
beforeAll(async () => {
  surfaces = await openSurfaces()
})
afterAll(() => surfaces?.close())

type ExpectedMessage = NonNullable<ExpectedTrace['model_calls'][number]['in']>[number]
type Said = TracedMessage['message']

/** A trace of a recording with what is true of it. */
interface RecordedTrace {
  id: string
  rootId: string
  /** As the list of traces of the API has it, whose costs the tests of the service check. */
  cost: number | null
  expected: ExpectedTrace
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}

/** Sends a recording to a new project. Its traces are in the order of their starts. */
async function record(recording: (typeof recordings)[number]): Promise<{ project: string; traces: RecordedTrace[] }> {
  const { server, client } = surfaces
  const project = server.newProject()
  await sendRecording(recording, { apiKey: server.apiKey, project, fetch: (path, init) => fetch(server.url + path, init) })
  const sort_by = [{ field: 'started_at', direction: 'asc' as const }]
  const calls = await collect(client.calls.streamQuery({ project_id: project, sort_by, columns: ['id', 'trace_id'] }))
  const ids = [...new Set(calls.map(({ trace_id }) => trace_id))]
  const { traces: totals } = await client.calls.traceTotals({ project_id: project, start: null, trace_ids: ids })
  const traces = ids.map((id, at) => {
    const { root_call_id: rootId, cost } = totals.find(({ trace_id }) => trace_id === id)!
    return { id, rootId: rootId ?? '', cost, expected: recording.expected.traces[at]! }
  })
  expect(traces).toHaveLength(recording.expected.traces.length)
  return { project, traces }
}

/** What a surface shows of a trace. */
interface ShownTrace {
  name: unknown
  status: unknown
  thread: unknown
  tokens: unknown
  cost: unknown
}

function expectTrace({ name, status, thread, tokens, cost }: ShownTrace, { cost: known, expected }: RecordedTrace): void {
  expect({ name, cost }).toEqual({ name: expected.root, cost: known === null ? null : expect.closeTo(known, 9) })
  if (expected.thread !== undefined) expect(thread).toBe(expected.thread)
  if (expected.failed === true) expect(status).toMatch(/error/)
  expect(totalsOf(expected).map(([input, output]) => input + output)).toContain(tokens ?? 0)
}

/** What a surface shows of a call. */
interface ShownCall {
  id: string
  parentId: string | null
  name: string
  kind: unknown
  /** Input and output as the call itself reports them; undefined where it reports none, or where the surface does not tell them apart. */
  counts?: [number, number] | undefined
}

/** The calls that are expected as model calls, without those that wrap another one of their name. */
function modelCallsOf(calls: readonly ShownCall[], { model_call_span: pattern }: Expected): ShownCall[] {
  const named = calls.filter(({ name }) => isMatch(pattern, name))
  return named.filter(({ id }) => !named.some(({ parentId }) => parentId === id))
}

function expectCalls(calls: readonly ShownCall[], expected: Expected, { model_calls: wanted }: ExpectedTrace): void {
  const own = modelCallsOf(calls, expected)
  expect(own).toHaveLength(wanted.length)
  wanted.forEach((call, at) => {
    // A call that failed may report nothing that says what it was.
    if (call.failed !== true) expect(isEmbedding(call) ? ['retrieval', 'model'] : ['model']).toContain(own[at]?.kind)
    if (own[at]?.counts !== undefined) expect(own[at].counts).toEqual([call.input, call.output])
  })
}

/** It says nothing. Some instrumentations call it one of a model like any other. */
const isEmbedding = ({ in: given, out: answered, output = 0 }: ExpectedTrace['model_calls'][number]) =>
  given === undefined && answered === undefined && output === 0

/** Asserts that some messages contain each expected one; parts of one message may count as several. */
function expectSaid(said: readonly Said[], model_calls: ExpectedTrace['model_calls']): void {
  const isSaid = ({ role, has }: ExpectedMessage) =>
    said.some((message) => (role === null || message.role === role) && has.every((text) => JSON.stringify(message).includes(text)))
  const wanted = model_calls.flatMap(({ in: given = [], out: answered = [] }) => [...given, ...answered])
  expect(wanted.filter((message) => !isSaid(message))).toEqual([])
}

/** All of them take minutes: each is asked of three surfaces, call by call. */
const tried = inject('long') ? recordings : recordings.filter((_, at) => at % 64 === 0)

describe.each(tried)('the recording $name', (recording) => {
  const { expected } = recording
  let project: string
  let traces: RecordedTrace[]
  beforeAll(async () => {
    const recorded = await record(recording)
    project = recorded.project
    traces = recorded.traces
  })
  const isTool = ({ name }: { name: unknown }) => name === expected.tool_span?.name

  test('is right in the command', async () => {
    const listed = await surfaces.command(['traces', 'list', '--project', project, '--limit', '100'])
    const kindsOfTools = new Set<unknown>()
    for (const trace of traces) {
      const { name, status, thread_id: thread, tokens, cost } = listed.find(({ trace_id }) => trace_id === trace.id) ?? {}
      expectTrace({ name, status, thread, tokens, cost }, trace)
      const shown = await surfaces.command(['traces', 'show', trace.id, '--project', project])
      expect(shown.filter(({ is_root }) => is_root).map(({ id }) => id)).toEqual([trace.rootId])
      const calls = shown.map((call) => {
        const [used] = readUsage(call['summary'])
        const { id, parent_id, kind } = call as { id: string; parent_id: string | null; kind: unknown }
        const name = displayNameOf(call as unknown as Call)
        return { id, parentId: parent_id, name, kind, counts: used && ([used.counts.input, used.counts.output] as [number, number]) }
      })
      expectCalls(calls, expected, trace.expected)
      for (const call of calls.filter(isTool)) kindsOfTools.add(call.kind)
      const said = await surfaces.command(['traces', 'show', trace.id, '--messages', '--project', project])
      expectSaid(said as unknown as Said[], trace.expected.model_calls)
    }
    if (expected.tool_span !== undefined) expect([...kindsOfTools]).toEqual([expected.tool_span.kind ?? 'tool'])
  })

  test('is right for assistants', async () => {
    const lines = await surfaces.askAll('traces_search', 'traces', { project, limit: 100, detail: 'summary' })
    const kindsOfTools = new Set<unknown>()
    for (const trace of traces) {
      const line = lines.find(({ call_id }) => call_id === trace.rootId) ?? {}
      const { name, status, thread_id: thread, tokens, cost } = line
      expectTrace({ name, status, thread, tokens, cost }, trace)
      const entries = await surfaces.askAll('trace_get', 'entries', { project, trace_id: trace.id, limit: 200, max_chars_per_field: 20 })
      const calls = inTree(entries as unknown as TreeEntry[])
      expectCalls(calls, expected, trace.expected)
      for (const call of calls.filter(isTool)) kindsOfTools.add(call.kind)
      const messages = { project, trace_id: trace.id, view: 'messages', limit: 200, max_chars_per_field: 2_000 }
      expectSaid((await surfaces.askAll('trace_get', 'entries', messages)) as unknown as Said[], trace.expected.model_calls)
    }
    if (expected.tool_span !== undefined) expect([...kindsOfTools]).toEqual([expected.tool_span.kind ?? 'tool'])
  })

  test('is right on the pages of traces and threads', async () => {
    const { page, client } = surfaces
    const kindsOfTools = new Set<unknown>()
    for (const trace of traces) {
      const { calls, settled, totals } = await surfaces.pageOfTrace(project, trace.id, trace.rootId)
      const { tokens, cost } = totals.get(trace.rootId) ?? { tokens: null, cost: null }
      const root = calls.find(({ id }) => id === settled.rootId)
      expect(root?.id).toBe(trace.rootId)
      // The page shows totals for each root of a trace.
      const isOne = [...settled.marks.values()].filter(({ isRoot }) => isRoot).length === 1
      const all = isOne ? { tokens, cost } : { tokens: sumOf(settled.usage.map(({ counts }) => counts.total)), cost: trace.cost }
      expectTrace({ name: root?.name, status: settled.status, thread: settled.threadId, ...all }, trace)

      const requests = page.modelRequestsOf(calls, settled)
      const requested = new Set(requests.flat().map(({ id }) => id))
      const shown = calls
        .toSorted((one, other) => one.startedAt - other.startedAt)
        .map((call) => ({ ...call, kind: call.kind === 'other' && requested.has(call.id) ? 'model' : call.kind }))
      expectCalls(shown, expected, trace.expected)
      for (const call of shown.filter(isTool)) kindsOfTools.add(calls.find(({ id }) => id === call.id)?.kind)

      const read = { project_id: project, filter: { call_ids: requests.flatMap(page.idsOfReports) }, columns: [...page.messageColumns] }
      const messages = requests.length === 0 ? new Map() : await page.readMessages(client.calls.streamQuery(read))
      modelCallsOf(shown, expected).forEach(({ id }, at) => {
        const request = requests.find((reports) => reports.some((report) => report.id === id))
        const wanted = trace.expected.model_calls[at]!
        if (request !== undefined) expectSaid(page.reportWithMessages(request, messages)?.messages as unknown as Said[], [wanted])
        if (wanted.failed !== true) expect(request).toBeDefined()
        const counted = request && settled.marks.get(request[0].id)?.counted
        if (wanted.input !== undefined && trace.expected.total === undefined)
          expect(sumOf(counted?.map(({ counts }) => counts.total) ?? [])).toBe(wanted.input + (wanted.output ?? 0))
      })
    }
    if (expected.tool_span !== undefined) expect([...kindsOfTools]).toEqual([expected.tool_span.kind ?? 'tool'])
    await expectThreads()
  })

  /** The page of a thread lists a turn for each trace that names it. */
  async function expectThreads(): Promise<void> {
    const { page, client } = surfaces
    for (const thread_id of new Set(traces.flatMap((trace) => trace.expected.thread ?? []))) {
      const read = await collect(client.threads.streamTurns({ project_id: project, thread_id }))
      const turns = new Map(read.map((turn) => [turn.trace_id, page.toTurn(turn, undefined)]))
      for (const trace of traces.filter((one) => one.expected.thread === thread_id)) {
        const { tokens, cost, messages, status } = turns.get(trace.id)!
        expectTrace({ name: trace.expected.root, status, thread: thread_id, tokens, cost }, trace)
        const isSpoken = trace.expected.model_calls.some(({ in: given = [] }) => given.length > 0)
        expect({ trace: trace.id, isSilent: isSpoken && messages.length === 0 }).toEqual({ trace: trace.id, isSilent: false })
      }
    }
  }
})

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

interface TreeEntry {
  call_id: string
  depth: number
  name: string
  kind: unknown
}

/** Entries of a tree name no parent: it is the last one before them that is less deep. */
function inTree(entries: readonly TreeEntry[]): ShownCall[] {
  return entries.map(({ call_id: id, name, kind, depth }, at) => {
    const parent = entries.slice(0, at).findLast((entry) => entry.depth < depth)
    return { id, parentId: parent?.call_id ?? null, name, kind }
  })
}
