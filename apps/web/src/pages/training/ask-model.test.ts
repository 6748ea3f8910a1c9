import { afterEach, expect, test, vi } from 'vitest'
import { askModel } from './ask-model.ts'

afterEach(() => vi.unstubAllGlobals())

const part = (delta: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`
const called = { index: 0, id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{"city":' } }

async function ask(tools: readonly unknown[], parts: readonly object[]) {
  const bodies: string[] = []
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    bodies.push(`${path} ${String(body)}`)
    return new Response(`${parts.map(part).join('')}data: [DONE]\n\n`)
  })
  const said: string[] = []
  const question = {
    model: 'm',
    messages: [{ role: 'user' as const, content: 'Weather in Oslo?' }],
    temperature: 0.7,
    maxTokens: 16,
    tools,
  }
  for await (const { content } of askModel(question, new AbortController().signal)) said.push(content)
  const [, sent = ''] = /^\S+ (.*)$/.exec(bodies[0] ?? '') ?? []
  return { said, sent: JSON.parse(sent) as Record<string, unknown> }
}

test('a model that is offered tools is shown calling one, and nothing runs it', async () => {
  const tool = { type: 'function', function: { name: 'get_weather' } }
  const { said, sent } = await ask(
    [tool],
    [{ content: 'I ask.' }, { tool_calls: [called] }, { tool_calls: [{ index: 0, function: { arguments: '"Oslo"}' } }] }],
  )
  expect(sent['tools']).toEqual([tool])
  expect(said).toEqual(['I ask.', 'I ask.\ncalls get_weather({"city":)', 'I ask.\ncalls get_weather({"city":"Oslo"})'])
})

test('without tools none are sent, and the text grows', async () => {
  const { said, sent } = await ask([], [{ content: 'Sun' }, { content: 'ny' }])
  expect('tools' in sent).toBe(false)
  expect(said).toEqual(['Sun', 'Sunny'])
})
