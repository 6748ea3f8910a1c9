import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import { connectCurrent } from '../testing/mcp-clients.ts'
import { type Ask, questions, type SeededProject } from '../testing/mcp-questions.ts'
import { recordEvaluation } from '../testing/record-evaluation.ts'
import { seedMcpProject } from '../testing/seed-mcp-project.ts'

let server: TestServer
let seeded: SeededProject
let mcp: Awaited<ReturnType<typeof connectCurrent>>
/** Random ids take more or fewer tokens by chance: each counts as the same one of its form. */
const tokensOf = (text: string) =>
  encode(
    text
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '01a2238d-5bf9-7397-9117-9230ec1264b1')
      .replace(/\b(?:[0-9a-f]{16}){1,2}\b/g, (id) => '965634f61a620f979c92f2dffeec38d2'.slice(0, id.length)),
  ).length
const results: { example: object; output: unknown; scores: { correct: boolean; calls: number; tokens: number } }[] = []

beforeAll(async () => {
  server = await shareBuiltTestServer()
  seeded = await seedMcpProject(server)
  const headers = { authorization: `Bearer ${server.apiKey}`, 'x-heddle-toolsets': 'evals,traces,training' }
  mcp = await connectCurrent({ url: `${server.url}/mcp`, headers })
  mcp.client.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const, content: { name: 'agent' } }))
}, 120_000)
afterAll(async () => {
  await mcp?.close()
  await server?.close()
})

test('there are 25 questions', () => expect(questions).toHaveLength(25))

test.each(questions.map((one) => [one.question, one] as const))('%s', async (question, { calls, tokens: most, find, expected }) => {
  let asked = 0
  let tokens = 0
  const ask: Ask = async (tool, args) => {
    asked++
    const result = await mcp.call(
      tool,
      tool.startsWith('model_') || tool.startsWith('training_job_get') ? args : { project: seeded.project, ...args },
    )
    expect(result.structuredContent?.error).toBeUndefined()
    const cost = tokensOf(result.content[0]?.text ?? '')
    tokens += cost
    expect(cost).toBeLessThanOrEqual(4_000)
    expect(tokensOf(JSON.stringify(result.structuredContent))).toBeLessThanOrEqual(4_000)
    return result
  }
  const answer = await find(ask, seeded)
  const scores = { correct: false, calls: asked, tokens }
  results.push({ example: { question }, output: answer ?? null, scores })
  expect(answer).toEqual(expected(seeded))
  scores.correct = true
  expect(asked).toBe(calls)
  expect(tokens).toBeLessThanOrEqual(most)
})

test('the score is an evaluation run of the server itself', async () => {
  const client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing })
  const id = await recordEvaluation(client, { project: seeded.project, name: 'questions', model: 'scripted', trials: results })
  const { structuredContent } = await mcp.call('eval_summary_get', { project: seeded.project, evaluation_call_ids: [id] })
  const scores = structuredContent?.data.evaluations[0].scores as { score: string; trials: number; pass_rate: number | null }[]
  expect(scores.map(({ score, trials, pass_rate }) => [score, trials, pass_rate])).toEqual([
    ['correct', 25, 1],
    ['calls', 25, null],
    ['tokens', 25, null],
  ])
})
