import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '../test-server/create-test-server.ts'
import { createBuiltTestServer } from '../testing/built-test-server.ts'
import { connectCurrent } from '../testing/mcp-clients.ts'
import { type Ask, questions, type SeededProject } from '../testing/mcp-questions.ts'
import { seedMcpProject } from '../testing/seed-mcp-project.ts'

let server: TestServer
let seeded: SeededProject
let mcp: Awaited<ReturnType<typeof connectCurrent>>

beforeAll(async () => {
  server = await createBuiltTestServer()
  seeded = await seedMcpProject(server)
  mcp = await connectCurrent({ url: `${server.url}/mcp`, headers: { authorization: `Bearer ${server.apiKey}` } })
  mcp.client.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const, content: { name: 'agent' } }))
}, 120_000)
afterAll(async () => {
  await mcp?.close()
  await server?.close()
})

test('there are 25 questions', () => expect(questions).toHaveLength(25))

test.each(questions.map((one) => [one.question, one] as const))('%s', async (_, { calls, tokens: most, find, expected }) => {
  let asked = 0
  let tokens = 0
  const ask: Ask = async (tool, args) => {
    asked++
    const result = await mcp.call(
      tool,
      tool.startsWith('model_') || tool.startsWith('training_job_get') ? args : { project: seeded.project, ...args },
    )
    expect(result.structuredContent?.error).toBeUndefined()
    const cost = encode(result.content[0]?.text ?? '').length
    tokens += cost
    expect(cost).toBeLessThanOrEqual(4_000)
    expect(encode(JSON.stringify(result.structuredContent)).length).toBeLessThanOrEqual(4_000)
    return result
  }
  expect(await find(ask, seeded)).toEqual(expected(seeded))
  expect(asked).toBe(calls)
  expect(tokens).toBeLessThanOrEqual(most)
})
