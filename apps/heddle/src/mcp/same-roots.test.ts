import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClock } from '../terminal/clock.ts'
import type { TracingClient } from '../connect.ts'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import { connectCurrent, type McpClient } from '../testing/mcp-clients.ts'
import { newHexId, postSpans, type SentSpan } from '../testing/post-spans.ts'
import { drawTrace } from '../traces/draw-trace.ts'
import { formatTraces } from '../traces/list-traces.ts'
import { readTrace, readTraces } from '../traces/read-traces.ts'

let server: TestServer
let client: TracingClient
let mcp: McpClient
beforeAll(async () => {
  server = await shareBuiltTestServer()
  client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing })
  mcp = await connectCurrent({ url: `${server.url}/mcp`, headers: { authorization: `Bearer ${server.apiKey}` } })
})
afterAll(async () => {
  await mcp?.close()
  await server?.close()
})

const startMs = Date.now() - 60_000

const send = (project_id: string, span: SentSpan) =>
  postSpans(client, { project_id, startMs }, { attributes: { 'session.id': 'conversation' }, ...span })

async function listed<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const each of stream) all.push(each)
  return all
}

/** The roots of a project as each surface has them: their ids, and whether they are marked. */
async function rootsEverywhere(project: string, trace_id: string) {
  const filter = { trace_roots_only: true }
  const start = new Date(startMs - 1_000).toISOString()
  const mark = (isMissing: unknown) => (isMissing === true ? 'marked' : 'whole')
  const { traces: totals } = await client.calls.traceTotals({ project_id: project, start })
  const home = await client.calls.stats({
    project_id: project,
    start,
    filter,
    call_metrics: [{ metric: 'call_count', aggregations: ['sum'] }],
  })
  const found = await mcp.call('traces_search', { project })
  const tree = await mcp.call('trace_get', { project, trace_id })
  const source = { client, project, addSpanNames: async <T>(calls: T) => calls }
  const summaries = await readTraces(source as Parameters<typeof readTraces>[0], 10)
  const lines = (result: typeof found, key: string) =>
    (Reflect.get(result.structuredContent?.data ?? {}, key) as { call_id: string; depth?: number; parent_missing?: true }[])
      .filter(({ depth = 0 }) => depth === 0)
      .map(({ call_id, parent_missing }) => [call_id, mark(parent_missing)])
  return {
    listed: (await listed(client.calls.streamQuery({ project_id: project, filter }))).map(({ id }) => id),
    counted: (await client.calls.queryStats({ project_id: project, filter })).count,
    home: home.call_buckets.reduce((sum, bucket) => sum + Number(bucket['sum_call_count'] ?? 0), 0),
    totals: totals.map(({ root_call_id, is_parent_missing }) => [root_call_id, mark(is_parent_missing)]),
    threads: (await listed(client.threads.streamTurns({ project_id: project, thread_id: 'conversation' }))).map((turn) => [
      turn.id,
      mark(turn.is_parent_missing),
    ]),
    search: lines(found, 'traces'),
    tree: lines(tree, 'entries'),
    command: [
      summaries.map(({ is_parent_missing }) => mark(is_parent_missing)),
      formatTraces(summaries, createClock('UTC')).includes('(parent missing)'),
    ],
    drawn: drawTrace(await readTrace({ client, project }, trace_id), createClock('UTC')).includes('(parent missing)'),
  }
}

/** What all of them say of one root. */
const everywhere = (id: string, mark: 'marked' | 'whole') => ({
  listed: [id],
  counted: 1,
  home: 1,
  totals: [[id, mark]],
  threads: [[id, mark]],
  search: [[id, mark]],
  tree: [[id, mark]],
  command: [[mark], mark === 'marked'],
  drawn: mark === 'marked',
})

test('a root is the same everywhere while its parent has not come, after it came, and after it was deleted', async () => {
  const project = server.newProject()
  const [trace, parent, child] = [newHexId(16), newHexId(8), newHexId(8)]
  await send(project, { trace, id: child, parent, second: 2 })
  expect(await rootsEverywhere(project, trace)).toEqual(everywhere(child, 'marked'))
  await send(project, { trace, id: parent })
  expect(await rootsEverywhere(project, trace)).toEqual(everywhere(parent, 'whole'))

  await client.calls.delete({ project_id: project, call_ids: [parent] })
  const late = newHexId(8)
  await send(project, { trace, id: late, parent, second: 4 })
  expect(await rootsEverywhere(project, trace)).toEqual(everywhere(late, 'marked'))
})

test('a parent in another project is a missing one', async () => {
  const [project, other] = [server.newProject(), server.newProject()]
  const [trace, parent, child] = [newHexId(16), newHexId(8), newHexId(8)]
  await send(other, { trace, id: parent })
  await send(project, { trace, id: child, parent, second: 2 })
  expect(await rootsEverywhere(project, trace)).toEqual(everywhere(child, 'marked'))
  expect(await rootsEverywhere(other, trace)).toEqual(everywhere(parent, 'whole'))
})
