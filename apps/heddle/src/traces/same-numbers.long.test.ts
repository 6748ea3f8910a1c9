import { type WrittenForest, writtenForest } from '@heddle/trace-model/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { close, costOf, expectedOf, expectedThreads, isPriced, price, tokensOf, type Uses } from '../testing/expected-numbers.ts'
import type { Chart } from '@heddle/web/testing'
import { messagesOfSent, type SentTrace, sendTraces, toSentTrace } from '../testing/send-traces.ts'
import { openSurfaces, type Surfaces } from '../testing/surfaces.ts'

// With the full count it sends and reads 480 traces.
vi.setConfig({ testTimeout: 3_600_000 })

const start = Date.now() - 3_600_000
/** Some calls start hours before the others of their trace. */
const since = new Date(start - 6 * 3_600_000).toISOString()
const until = new Date(start + 60_000).toISOString()
const recent = { start: since, end: until }
/** Its clocks change in summer and winter. */
const timezone = 'Europe/Berlin'
const tracesAtATime = 8

let surfaces: Surfaces
let server: Surfaces['server']
let client: Surfaces['client']
let page: Surfaces['page']

beforeAll(async () => {
  surfaces = await openSurfaces()
  ;({ server, client, page } = surfaces)
})
afterAll(() => surfaces?.close())

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}

/** The API: totals of traces, sums, counts and the list of roots. */
async function checkApi(project_id: string, traces: readonly SentTrace[]) {
  const all = traces.map(expectedOf)
  const { traces: totals } = await client.calls.traceTotals({ project_id, start: since, end: until })
  const found = totals.map(({ trace_id, root_call_id, is_parent_missing, status, tokens, cost }) => [
    trace_id,
    { rootId: root_call_id, isParentMissing: is_parent_missing, status, tokens, cost },
  ])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(traces.map(({ traceId }, at) => [traceId, all[at]!.trace])))

  const { groups } = await client.calls.usageTotals({ project_id, start: since, end: until, group_by: 'model' })
  const sums = Object.fromEntries(
    groups.map(({ key, ...sum }) => [key, [sum.input_tokens, sum.output_tokens, sum.total_tokens, sum.cost, sum.unpriced_uses]]),
  )
  const nodes = new Map(traces.flatMap((trace) => trace.nodes.map((node) => [node.id, node] as const)))
  const ofModel = (model: string) => all.flatMap(({ uses }) => uses).filter((use) => use.model === model)
  const sum = (uses: Uses, side: 0 | 1) => uses.reduce((total, { sides }) => total + sides[side], 0)
  const unpriced = (uses: Uses) => uses.filter((use) => !isPriced(use)).length
  expect(sums).toEqual(
    Object.fromEntries(
      ['m', 'n']
        .filter((model) => ofModel(model).length > 0)
        .map((model) => [model, ofModel(model)] as const)
        .map(([model, uses]) => [model, [sum(uses, 0), sum(uses, 1), tokensOf(uses), close(costOf(uses, nodes)), unpriced(uses)]]),
    ),
  )

  const whole = close(
    costOf(
      all.flatMap(({ uses }) => uses),
      nodes,
    ),
  )
  const { projects } = await client.projects.query({ contains: project_id.split('/')[1]! })
  expect(projects).toMatchObject([{ cost_7d: whole }])
  const unknown = all.flatMap(({ uses }) => uses.filter((use) => !isPriced(use))).length
  await checkSums(project_id, { tokens: tokensOf(all.flatMap(({ uses }) => uses)), cost: whole, unpriced: unknown })
  await checkFooter(project_id, { tokens: tokensOf(all.flatMap(({ uses }) => uses)) || null, cost: whole })

  const roots = all.flatMap((one) => one.roots).toSorted()
  const filter = { trace_roots_only: true }
  expect((await client.calls.queryStats({ project_id, filter })).count).toBe(roots.length)
  const listed = await collect(client.calls.streamQuery({ project_id, filter, columns: ['id', 'summary'] }))
  expect(listed.map(({ id }) => id).toSorted()).toEqual(roots)
  const statuses = listed.map(({ id, summary }) => [id, (summary as { weave: { status: string } }).weave.status])
  const expected = all.flatMap((one) => one.roots.map((id) => [id, one.calls[id]?.status]))
  expect(Object.fromEntries(statuses)).toEqual(Object.fromEntries(expected))
}

/** What the page of traces says below its list, whose rows are roots: a trace may have several. */
async function checkFooter(project_id: string, expected: { tokens: number | null; cost: number | null }) {
  const filter = { trace_roots_only: true }
  const roots = await collect(client.calls.streamQuery({ project_id, filter, include_costs: true }))
  const trace_ids = [...new Set(roots.map(({ trace_id }) => trace_id))]
  const { traces } = trace_ids.length === 0 ? { traces: [] } : await client.calls.traceTotals({ project_id, start: null, trace_ids })
  const rows = page.rowsOfTraces(
    roots.map((call) => page.toCallRow(call, [])),
    traces,
  )
  expect(page.totalsOfRows(rows, undefined)).toEqual(expected)
  expect(page.totalsOfRows(rows, 'all')).toEqual({ tokens: null, cost: null })
}

/** What home, the costs page and charts over traces and over spans say of all that was used. */
async function checkSums(project_id: string, expected: { tokens: number; cost: number | null; unpriced: number }, range = recent) {
  const scope = { project_id, ...range }
  const usage_metrics = [{ metric: 'total_cost' as const }, { metric: 'total_tokens' as const }]
  const filter = { trace_roots_only: true }
  expect(page.readSummary(await client.calls.stats({ ...scope, granularity: 86_400, filter, usage_metrics }))).toMatchObject(expected)
  const { groups } = await client.calls.usageTotals({ ...scope, group_by: 'op' })
  expect(page.sumOfUsage(groups)).toMatchObject({ tokens: expected.tokens, cost: expected.cost })
  for (const level of ['roots', 'all'] as const) {
    const drawn = async (part: Partial<Chart>) => {
      const chart = { ...page.newChart('a'), level, form: 'number' as const, ...part }
      const { series, unpriced } = page.readCallsChart(chart, await client.calls.stats({ ...scope, ...page.toCallsRequest(chart, '24h') }))
      return { value: sumOrNull(series.flatMap(({ cells }) => cells.map(({ value }) => value))), unpriced }
    }
    const isUsed = expected.tokens > 0
    expect(await drawn({ measure: 'tokens' })).toMatchObject({ value: isUsed ? expected.tokens : null })
    expect(await drawn({ measure: 'cost' })).toEqual({ value: isUsed ? expected.cost : null, unpriced: expected.unpriced })
    expect(await drawn({ measure: 'tokens', by: 'op', form: 'table' })).toMatchObject({ value: isUsed ? expected.tokens : null })
    expect(await drawn({ measure: 'tokens', filter: 'id != ""' })).toMatchObject({ value: isUsed ? expected.tokens : null })
  }
}

const dayIn = new Intl.DateTimeFormat('en-CA', { timeZone: timezone, dateStyle: 'short' })

/** Usage by status and by day in the API and for assistants: each group has what its calls used, and all groups what the other surfaces say of the whole. */
async function checkGroups(project_id: string, traces: readonly SentTrace[], range = recent) {
  const nodes = new Map(traces.flatMap((trace) => trace.nodes.map((node) => [node.id, node] as const)))
  const uses = traces.flatMap((trace) => expectedOf(trace).uses)
  const unpriced = uses.filter((use) => !isPriced(use)).length
  await checkSums(project_id, { tokens: tokensOf(uses), cost: close(costOf(uses, nodes)), unpriced }, range)
  const keys = {
    // Only a client of calls says that it counted errors below one.
    status: ({ status, wire }: SentTrace['nodes'][number]) => (status === 'descendant_error' && wire === 'otlp' ? 'success' : status),
    day: ({ startedAt }: SentTrace['nodes'][number]) => dayIn.format(startedAt / 1_000),
  }
  for (const group_by of ['status', 'day'] as const) {
    const keyOf = keys[group_by]
    const wanted = [...new Set([...nodes.values()].map(keyOf))].map((key) => {
      const calls = [...nodes.values()].filter((node) => keyOf(node) === key).length
      const used = uses.filter(({ callId }) => keyOf(nodes.get(callId)!) === key)
      return { key, calls, tokens: used.length === 0 ? null : tokensOf(used), cost: close(costOf(used, nodes)) }
    })
    const { groups } = await client.calls.usageTotals({ project_id, ...range, group_by, timezone })
    const found = groups.map(({ key, total_tokens: tokens, cost }) => [key, { tokens, cost }])
    const ofUses = wanted.filter(({ tokens }) => tokens !== null).map(({ key, tokens, cost }) => [key, { tokens, cost }])
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(ofUses))
    expect(page.sumOfUsage(groups)).toMatchObject({ tokens: tokensOf(uses), cost: close(costOf(uses, nodes)) })

    const asked = { since: range.start, until: range.end, group_by, time_zone: timezone }
    const { groups: told = [] } = await ask(project_id, 'trace_stats', asked)
    const counted = told.map(({ key, calls, tokens, cost }) => [key, { key, calls, tokens, cost }])
    expect(Object.fromEntries(counted)).toEqual(Object.fromEntries(wanted.map((group) => [group.key, group])))
  }
}

const sumOrNull = (values: readonly (number | null)[]) =>
  values.reduce((sum, value) => (value === null ? sum : (sum ?? 0) + value), null as number | null)

async function checkCommand(project: string, traces: readonly SentTrace[]) {
  const listed = await surfaces.command(['traces', 'list', '--project', project, '--limit', '100'])
  const found = listed.map(({ trace_id, root_call_id, is_parent_missing, status, tokens, cost }) => [
    trace_id,
    { rootId: root_call_id, isParentMissing: is_parent_missing, status, tokens, cost },
  ])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(traces.map((trace) => [trace.traceId, expectedOf(trace).trace])))
  for (const trace of traces) {
    const expected = expectedOf(trace)
    const shown = await surfaces.command(['traces', 'show', trace.traceId, '--project', project])
    expect(shown.filter(({ is_root }) => is_root).map(({ id, is_parent_missing }) => [id, is_parent_missing])).toEqual([
      [expected.trace.rootId, expected.trace.isParentMissing],
    ])
    expect(Object.fromEntries(shown.map(({ id, status, tokens, cost }) => [id, { status, tokens, cost }]))).toEqual(expected.calls)
  }
}

const ask = (project: string, tool: string, args: object) => surfaces.ask(tool, { project, ...args })

async function checkAssistants(project: string, traces: readonly SentTrace[]) {
  const found = await ask(project, 'traces_search', { limit: 100, max_tokens: 20_000 })
  const lines = new Map(found.traces?.map((line) => [line.call_id, line]))
  for (const trace of traces) {
    const { trace: expected, calls } = expectedOf(trace)
    const { status, tokens, cost } = expected
    expect(lines.get(expected.rootId)).toMatchObject({ status, tokens, cost })
    const { entries = [] } = await ask(project, 'trace_get', { trace_id: trace.traceId, max_tokens: 20_000 })
    expect(
      Object.fromEntries(entries.map((entry) => [entry.call_id, { status: entry.status, tokens: entry.tokens, cost: entry.cost }])),
    ).toEqual(calls)
  }
}

/** The functions by which the page of a trace computes what it shows. */
async function checkPage(project_id: string, traces: readonly SentTrace[]) {
  for (const trace of traces) {
    const expected = expectedOf(trace)
    const { settled, totals } = await surfaces.pageOfTrace(project_id, trace.traceId, trace.nodes[0]!.id)
    const { rootId, isParentMissing, status } = settled
    expect({ rootId, isParentMissing, status }).toEqual(
      expect.objectContaining({
        rootId: expected.trace.rootId,
        isParentMissing: expected.trace.isParentMissing,
        status: expected.trace.status,
      }),
    )
    const shown = [...settled.marks].map(([id, mark]) => {
      const { tokens, cost } = totals.get(id) ?? { tokens: null, cost: null }
      return [id, { status: mark.status, tokens, cost }]
    })
    expect(Object.fromEntries(shown)).toEqual(expected.calls)
  }
}

/** Threads and their turns in the API, the command, MCP and as the page shows them, and the traces that are found by a thread. */
async function checkThreads(project: string, traces: readonly SentTrace[]) {
  const expected = expectedThreads(traces)
  const sent = new Map(traces.flatMap(({ nodes }) => nodes.map((node) => [node.id, node])))
  const textOf = (id: string | null, side: 'input' | 'output') => (id === null ? [] : [messagesOfSent(sent.get(id)!)[side]])
  const counts = Object.fromEntries([...expected].map(([id, turns]) => [id, turns.length]))
  const threads = await collect(client.threads.streamQuery({ project_id: project }))
  expect(Object.fromEntries(threads.map(({ thread_id, turn_count }) => [thread_id, turn_count]))).toEqual(counts)
  const listed = await surfaces.command(['threads', 'list', '--project', project])
  expect(Object.fromEntries(listed.map(({ thread_id, turn_count }) => [thread_id, turn_count]))).toEqual(counts)
  for (const thread_id of ['x', 'y']) {
    const found = await collect(
      client.calls.streamQuery({ project_id: project, filter: { trace_roots_only: true, thread_ids: [thread_id] } }),
    )
    const ofThread = traces.filter((trace) => expectedOf(trace).threadId === thread_id).flatMap((trace) => expectedOf(trace).roots)
    const naming = traces.flatMap((trace) =>
      trace.nodes.filter(({ id, threadId }) => threadId === thread_id && expectedOf(trace).roots.includes(id)).map(({ id }) => id),
    )
    const roots = [...new Set([...ofThread, ...naming])].toSorted()
    expect(found.map(({ id }) => id).toSorted()).toEqual(roots)
    const { traces: lines = [] } = await ask(project, 'traces_search', { thread_id, limit: 100, max_tokens: 20_000 })
    expect(lines.map(({ call_id }) => call_id).toSorted()).toEqual(roots)
  }
  for (const [thread_id, wanted] of expected) {
    const turns = await collect(client.threads.streamTurns({ project_id: project, thread_id, limit: 200 }))
    const numbersOf = (found: readonly object[]) =>
      (found as Record<string, unknown>[]).map(({ id, trace_id, started_at, status, tokens, cost, is_parent_missing }) => ({
        id,
        trace_id,
        started_at,
        status,
        tokens,
        cost,
        is_parent_missing,
      }))
    const numbers = numbersOf(wanted)
    expect(numbersOf(turns)).toEqual(numbers)
    turns.forEach(({ input, output, input_call_id, output_call_id }, at) => {
      expect(wanted[at]?.inputs).toContain(input_call_id)
      expect(wanted[at]?.outputs).toContain(output_call_id)
      const textsOf = (messages: typeof input) => messages.flatMap(({ parts }) => parts.map((part) => part['text']))
      expect([...textsOf(input), ...textsOf(output)]).toEqual([...textOf(input_call_id, 'input'), ...textOf(output_call_id, 'output')])
    })
    expect(numbersOf(await surfaces.command(['threads', 'show', thread_id, '--project', project]))).toEqual(numbers)
    const { entries = [] } = await ask(project, 'trace_get', { thread_id, limit: 200, max_tokens: 20_000, max_chars_per_field: 50 })
    expect(numbersOf(entries.map((entry) => ({ ...entry, id: entry.call_id, is_parent_missing: entry.parent_missing ?? false })))).toEqual(
      numbers,
    )
    const shown = turns.map((turn) => ({ ...page.toTurn(turn, undefined), trace_id: turn.trace_id }))
    expect(
      numbersOf(
        shown.map(({ isParentMissing, startedAt, ...turn }) => ({ ...turn, started_at: startedAt, is_parent_missing: isParentMissing })),
      ),
    ).toEqual(numbers)
  }
}

async function checkAll(project: string, traces: readonly SentTrace[]) {
  const known = traces.filter(({ nodes }) => nodes.length > 0)
  await checkApi(project, known)
  await checkCommand(project, known)
  await checkAssistants(project, known)
  await checkGroups(project, known)
  await checkPage(project, known)
  await checkThreads(project, known)
}

/** How a call comes to be there or not. `hours`: it comes when the others were read, and starts hours before them. `foreign`: into another project. */
type Fate = 'first' | 'late' | 'hours' | 'foreign'

interface Life {
  forest: WrittenForest
  fates: Fate[]
  /** Index of a call that is deleted, with its descendants, before late calls arrive; undefined for no deletion. */
  deleted: number
}

const life: fc.Arbitrary<Life> = fc.record({
  forest: writtenForest,
  fates: fc.array(fc.constantFrom<Fate>('first', 'first', 'first', 'late', 'hours', 'foreign'), { minLength: 14, maxLength: 14 }),
  deleted: fc.nat({ max: 27 }),
})

/** The calls of a trace for which something holds. */
function part(trace: SentTrace, holds: (id: string, place: number) => boolean): SentTrace {
  const places = trace.nodes.flatMap(({ id }, index) => (holds(id, index) ? [index] : []))
  return { ...trace, nodes: places.map((place) => trace.nodes[place]!), kinds: places.map((place) => trace.kinds[place]!) }
}

/** A call and all that name it as a parent, directly or not. */
function withDescendants({ nodes }: SentTrace, id: string): Set<string> {
  const found = new Set([id])
  for (let before = 0; before < found.size;) {
    before = found.size
    for (const node of nodes) if (found.has(node.parentId ?? '')) found.add(node.id)
  }
  return found
}

test('all numbers of any trace and thread are the same in the API, the command, MCP and the page, whenever its calls come, go or are elsewhere', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(life, { minLength: tracesAtATime, maxLength: tracesAtATime }), async (lives) => {
      const [project, other] = [server.newProject(), server.newProject()]
      for (const project_id of [project, other])
        await client.costs.create({ project_id, costs: { m: { ...price, effective_date: '2020-01-01' } } })
      const traces = lives.map(({ forest, fates }) =>
        toSentTrace(
          forest,
          start,
          fates.map((fate) => (fate === 'hours' ? 5 : 0)),
        ),
      )
      const withFate = (...wanted: Fate[]) =>
        traces.map((trace, at) => part(trace, (_, place) => wanted.includes(lives[at]!.fates[place]!)))
      await sendTraces(server, other, withFate('foreign'))
      const first = withFate('first')
      await sendTraces(server, project, first)
      await checkApi(
        project,
        first.filter(({ nodes }) => nodes.length > 0),
      )

      const deleted = first.map((trace, at) => trace.nodes[lives[at]!.deleted]?.id)
      const call_ids = deleted.filter((id) => id !== undefined)
      if (call_ids.length > 0) await client.calls.delete({ project_id: project, call_ids })
      const left = first.map((trace, at) => {
        const gone = deleted[at] === undefined ? new Set() : withDescendants(trace, deleted[at])
        return part(trace, (id) => !gone.has(id))
      })
      await checkAll(project, left)

      const late = withFate('late', 'hours')
      await sendTraces(server, project, late)
      const all = left.map((trace, at) => ({
        ...trace,
        nodes: [...trace.nodes, ...late[at]!.nodes],
        kinds: [...trace.kinds, ...late[at]!.kinds],
      }))
      await checkAll(project, all)
      await checkApi(
        other,
        withFate('foreign').filter(({ nodes }) => nodes.length > 0),
      )
    }),
    { numRuns: 60, endOnFailure: true },
  )
})

test('usage by status and by day of a zone sums up to what all surfaces say, also where its clocks go back', async () => {
  // 23:30 in winter, which would be the next day in summer.
  const lateEvening = Date.parse('2025-10-26T22:30:00Z')
  // In summer 00:30 and 23:30; in winter they would both be in the day before.
  const hours = fc.array(fc.constantFrom(-1, 0, 24, 25), { minLength: 14, maxLength: 14 })
  const range = { start: '2025-10-25T00:00:00Z', end: '2025-10-28T00:00:00Z' }
  const written = fc.array(fc.record({ forest: writtenForest, hours }), { minLength: tracesAtATime, maxLength: tracesAtATime })
  await fc.assert(
    fc.asyncProperty(written, async (forests) => {
      const project = server.newProject()
      await client.costs.create({ project_id: project, costs: { m: { ...price, effective_date: '2020-01-01' } } })
      const traces = forests.map(({ forest, hours: earlier }) => toSentTrace(forest, lateEvening, earlier))
      await sendTraces(server, project, traces)
      await checkGroups(project, traces, range)
    }),
    { numRuns: 30, endOnFailure: true },
  )
})
