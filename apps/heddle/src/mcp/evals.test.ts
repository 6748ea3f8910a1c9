import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import { connectCurrent, connectOlder, type McpClient } from '../testing/mcp-clients.ts'
import { recordEvaluation } from '../testing/record-evaluation.ts'

let server: TestServer
let project: string
let mcp: McpClient
let older: McpClient
let before: string
let after: string

beforeAll(async () => {
  server = await shareBuiltTestServer()
  const client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing })
  project = server.newProject()
  const trials = (passes: (row: number) => boolean, shift: number) =>
    Array.from({ length: 30 }, (_, row) => ({
      example: { question: `Question ${row}`, topic: row % 3 === 0 ? 'refunds' : `other ${row}` },
      output: `answer ${row}`,
      scores: { exact: { match: passes(row) }, length: row / 10 + shift },
    }))
  before = await recordEvaluation(client, { project, name: 'before', model: 'small', trials: trials((row) => row !== 7, 0) })
  after = await recordEvaluation(client, {
    project,
    name: 'after',
    model: 'large',
    trials: trials((row) => row % 3 !== 0, 1),
    startedAtMs: Date.UTC(2026, 0, 3),
  })
  const address = { url: `${server.url}/mcp`, headers: { authorization: `Bearer ${server.apiKey}` } }
  ;[mcp, older] = await Promise.all([connectCurrent(address), connectOlder(address)])
})
afterAll(async () => {
  await Promise.all([mcp?.close(), older?.close()])
  await server?.close()
})

test('clients of both protocol eras are served', async () => {
  expect(mcp.protocolVersion()).toBe('2026-07-28')
  expect(older.protocolVersion()).toBe('2025-11-25')
  expect(await older.list()).toEqual(await mcp.list())
})

test('evaluation runs are listed, the newest first, with their scores', async () => {
  for (const client of [mcp, older]) {
    const { structuredContent } = await client.call('evals_list', { project })
    expect(structuredContent).toMatchObject({
      data: {
        evaluations: [
          { evaluation_call_id: after, name: 'after', status: 'completed', scores: { 'exact.match': 0.6667, length: 2.45 } },
          { evaluation_call_id: before, name: 'before', scores: { 'exact.match': 0.9667 } },
        ],
      },
      page: { returned: 2, total: 2 },
      warnings: [],
    })
  }
})

test('a comparison says what is worse, and shows the rows with the evidence', async () => {
  const { content, structuredContent } = await mcp.call('eval_compare', { project, baseline: before, candidates: [after], limit: 2 })
  expect(content[0]?.text).toMatch(/^Worse: exact\.match\. Better: length\. 10 row scores changed this way\./)
  expect(structuredContent?.data).toMatchObject({
    verdicts: [
      { score: 'exact.match', verdict: 'worse', delta: -0.3, paired_rows: 30, baseline: 0.9667, candidate: 0.6667 },
      { score: 'length', verdict: 'better', delta: 1, interval: [1, 1] },
    ],
    rows: [{ score: 'exact.match', baseline: 1, candidate: 0, delta: -1, inputs: { topic: 'refunds' } }, { delta: -1 }],
  })
})

test('failing rows are grouped by what they share', async () => {
  const { structuredContent } = await mcp.call('eval_failures_group', { project, evaluation_call_id: after })
  expect(structuredContent?.data).toMatchObject({
    rows: 30,
    failing_rows: 10,
    groups: [
      { by: 'score', value: 'exact.match', failing_rows: 10, of_rows: 30 },
      { by: 'input', value: 'topic=refunds', failing_rows: 10, of_rows: 10 },
    ],
  })
})
