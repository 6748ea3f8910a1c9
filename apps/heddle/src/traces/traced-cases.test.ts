import { callKindOf, displayNameOf } from '@heddle/core-api'
import type { Call } from '@heddle/core-api/types'
import type { TracedMessage } from '@heddle/trace-model'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openSurfaces, type Surfaces } from '../testing/surfaces.ts'
import {
  type ExpectedTrace,
  type SentTrace,
  sendCase,
  someTracedCases,
  tokensOf,
  tracedCases,
  usageOf,
} from '../testing/traced-cases/index.ts'

const dayAgo = new Date(Date.now() - 86_400_000).toISOString()

let surfaces: Surfaces
beforeAll(async () => {
  surfaces = await openSurfaces()
})
afterAll(() => surfaces?.close())

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of source) items.push(item)
  return items
}

/** Costs are sums of numbers with a binary point. */
const close = (cost: number | null): unknown => (cost === null ? null : expect.closeTo(cost, 12))

/** What each surface must say of a trace. */
const numbersOf = (trace: ExpectedTrace) => ({ status: trace.status, tokens: tokensOf(trace) || null, cost: close(trace.cost) })

type Message = TracedMessage['message']

/** That a surface shows what was said and nothing else, in its order, each message once. */
function expectSaid(messages: readonly Message[], { said = [] }: ExpectedTrace): void {
  expect(messages.map(({ role }) => role)).toEqual(said.map(({ role }) => role))
  for (const [at, { text, hasImage = false }] of said.entries()) {
    const shown = JSON.stringify(messages[at])
    expect([shown, shown.includes(text), shown.includes('image/png')]).toEqual([shown, true, hasImage])
  }
}

type Group = Awaited<ReturnType<Surfaces['client']['calls']['usageTotals']>>['groups'][number]

const countsOf = (use: Omit<Group, 'key'>) => ({
  uses: use.uses,
  input: use.input_tokens,
  output: use.output_tokens,
  cached: use.cache_read_input_tokens,
  written: use.cache_creation_input_tokens,
})

describe.each(tracedCases)('$name', (traced) => {
  let project: string
  let traces: SentTrace[]
  beforeAll(async () => {
    project = surfaces.server.newProject()
    traces = await sendCase(surfaces.client, project, traced)
  })
  const threads = new Map(traced.traces.flatMap((trace) => (trace.thread === undefined ? [] : [[trace.thread, trace] as const])))
  const costs = traced.traces.flatMap(({ cost }) => (cost === null ? [] : [cost]))
  const total = { tokens: tokensOf(...traced.traces), cost: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost) }

  test('the API has its roots, threads, tokens and costs', async () => {
    const { client, page } = surfaces
    const { traces: totals } = await client.calls.traceTotals({ project_id: project, start: null, trace_ids: traces.map(({ id }) => id) })
    for (const { id, rootId, expected } of traces)
      expect(totals.find(({ trace_id }) => trace_id === id)).toMatchObject({
        root_call_id: rootId,
        is_parent_missing: expected.isParentMissing ?? false,
        thread_id: expected.thread ?? null,
        ...numbersOf(expected),
      })

    const listed = await collect(client.calls.streamQuery({ project_id: project, filter: { trace_roots_only: true } }))
    expect(listed.map(displayNameOf).toSorted()).toEqual(traced.traces.map(({ root }) => root).toSorted())

    const tools = traced.traces.flatMap((trace) => trace.tools ?? [])
    const all = await collect(client.calls.streamQuery({ project_id: project }))
    const called = all
      .filter((call) => callKindOf(call) === 'tool')
      .map((call) => ({ name: displayNameOf(call), tool: call.attributes['tool_name'] }))
    expect(called).toEqual(tools)

    const { groups } = await client.calls.usageTotals({ project_id: project, start: dayAgo, group_by: 'model' })
    const used = groups.filter(({ uses }) => uses > 0)
    expect(Object.fromEntries(used.map(({ key, ...use }) => [key, countsOf(use)]))).toEqual(usageOf(traced.traces))
    expect(page.sumOfUsage(groups)).toMatchObject({ tokens: total.tokens, cost: close(total.cost) })
    const { projects } = await client.projects.query({ contains: project.split('/')[1]! })
    expect(projects).toMatchObject([{ cost_7d: close(total.cost) }])

    const conversations = await collect(client.threads.streamQuery({ project_id: project }))
    expect(conversations.map(({ thread_id, turn_count }) => [thread_id, turn_count]).toSorted()).toEqual(
      [...threads.keys()].map((thread) => [thread, 1]).toSorted(),
    )
  })

  // What is right in the API is the same on other surfaces for any trace, by `same-numbers.long.test.ts`: each run asks them for a case of each subject.
  const isAsked = inject('long') || someTracedCases.includes(traced)

  test.each(isAsked ? ['the command'] : [])('%s lists and shows it', async () => {
    const lines = await surfaces.command(['traces', 'list', '--project', project])
    for (const { id, rootId, expected } of traces) {
      const { root, thread, isParentMissing, tools = [] } = expected
      const wanted = { ...numbersOf(expected), is_parent_missing: isParentMissing ?? false }
      expect(lines.find(({ trace_id }) => trace_id === id)).toMatchObject({
        ...wanted,
        name: root,
        root_call_id: rootId,
        thread_id: thread ?? null,
      })
      const shown = await surfaces.command(['traces', 'show', id, '--project', project])
      expect(shown.filter(({ is_root }) => is_root)).toMatchObject([{ ...wanted, id: rootId }])
      const named = shown.filter(({ kind }) => kind === 'tool').map((call) => displayNameOf(call as unknown as Call))
      expect(named).toEqual(tools.map(({ name }) => name))
      expectSaid((await surfaces.command(['traces', 'show', id, '--messages', '--project', project])) as unknown as Message[], expected)
    }
    const conversations = await surfaces.command(['threads', 'list', '--project', project])
    expect(conversations.map(({ thread_id }) => thread_id).toSorted()).toEqual([...threads.keys()].toSorted())
    for (const [thread, expected] of threads)
      expect(await surfaces.command(['threads', 'show', thread, '--project', project])).toMatchObject([numbersOf(expected)])
  })

  test.each(isAsked ? ['assistants'] : [])('%s find and read it', async () => {
    const lines = await surfaces.askAll('traces_search', 'traces', { project, limit: 100 })
    for (const { id, rootId, expected } of traces) {
      const { root, thread, isParentMissing, tools = [] } = expected
      expect(lines.find(({ call_id }) => call_id === rootId)).toMatchObject({
        ...numbersOf(expected),
        name: root,
        ...(thread !== undefined && { thread_id: thread }),
        ...(isParentMissing && { parent_missing: true }),
      })
      const entries = await surfaces.askAll('trace_get', 'entries', { project, trace_id: id, limit: 200 })
      expect(entries[0]).toMatchObject({ ...numbersOf(expected), call_id: rootId, name: root })
      expect(entries.filter(({ kind }) => kind === 'tool').map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
      const messages = { project, trace_id: id, view: 'messages', limit: 200, max_chars_per_field: 2_000 }
      expectSaid((await surfaces.askAll('trace_get', 'entries', messages)) as unknown as Message[], expected)
    }
  })

  test('the pages compute the same', async () => {
    const { page, client } = surfaces
    for (const { id, rootId, expected } of traces) {
      const { settled, totals } = await surfaces.pageOfTrace(project, id, rootId)
      const { tokens, cost } = totals.get(rootId) ?? { tokens: null, cost: null }
      expect({ ...settled, tokens, cost }).toMatchObject({
        rootId,
        isParentMissing: expected.isParentMissing ?? false,
        threadId: expected.thread ?? null,
        ...numbersOf(expected),
      })
    }
    for (const [thread_id, expected] of threads) {
      const [turn] = await collect(client.threads.streamTurns({ project_id: project, thread_id }))
      const { messages, tokens, cost, status } = page.toTurn(turn!, undefined)
      expect({ status, tokens, cost }).toEqual(numbersOf(expected))
      expectSaid(messages as unknown as Message[], expected)
    }
  })
})
