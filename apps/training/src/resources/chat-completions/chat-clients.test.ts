import OpenAI from 'openai'
import { zodResponseFormat } from 'openai/helpers/zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { EmbeddedEngine } from '../../engine/embedded/embedded-engine.ts'
import type { TrainingApp } from '../../testing/start-training-app.ts'
import { startTinyApp, type TinyApp } from '../../testing/start-tiny-app.ts'

const model = 'wandb-artifact:///local/clients/agent'

let tiny: TinyApp
let engine: EmbeddedEngine
let app: TrainingApp
let client: OpenAI
beforeAll(async () => {
  tiny = await startTinyApp()
  ;({ app, engine } = tiny)
  await app.client.models.create({ project: 'clients', name: 'agent', base_model: 'tiny', return_existing: true })
  client = new OpenAI({ baseURL: 'http://heddle.test/v1/', apiKey: app.apiKey, maxRetries: 0, fetch: tiny.fetch })
})
afterAll(() => tiny.close())

const messages = [{ role: 'user' as const, content: 'hi' }]
const bounded = {
  type: 'object',
  properties: { a: { type: 'integer', minimum: 0, maximum: 99 } },
  required: ['a'],
  additionalProperties: false,
}
const add = { type: 'function' as const, function: { name: 'add', description: 'Adds one', parameters: bounded, strict: true } }

describe('the published client', () => {
  test('chats, and gets a log-probability for every token of a trained model', async () => {
    const { choices, usage } = await client.chat.completions.create({ model, messages, max_tokens: 10, seed: 1 })
    expect(choices[0]!.logprobs!.content).toHaveLength(usage!.completion_tokens)
    expect(choices[0]!.logprobs!.content!.every(({ token, logprob }) => /^token_id:\d+$/.test(token) && logprob < 0)).toBe(true)
  })

  test('gets alternatives that hold what was sampled, greedily', async () => {
    const { choices } = await client.chat.completions.create({
      model: 'tiny',
      messages,
      max_tokens: 5,
      temperature: 0,
      logprobs: true,
      top_logprobs: 3,
    })
    for (const { logprob, top_logprobs } of choices[0]!.logprobs!.content!) {
      expect([top_logprobs.length, top_logprobs[0]!.logprob]).toEqual([3, logprob])
    }
  })

  test('streams the text that it gets at once otherwise', async () => {
    const asked = { model, messages, max_tokens: 20, seed: 4 }
    const runner = client.chat.completions.stream({ ...asked, stream_options: { include_usage: true } })
    const streamed = await runner.finalChatCompletion()
    const whole = await client.chat.completions.create(asked)
    expect(streamed.choices[0]!.message.content).toBe(whole.choices[0]!.message.content)
    expect(streamed.choices[0]!.logprobs!.content).toEqual(whole.choices[0]!.logprobs!.content)
    expect(streamed.usage).toEqual(whole.usage)
  })

  test.each([[{ type: 'function' as const, function: { name: 'add' } }], ['required' as const]])(
    'calls a tool when it must (%j)',
    async (tool_choice) => {
      const asked = { model, messages, tools: [add], tool_choice, parallel_tool_calls: false, seed: 9 }
      const { choices, usage } = await client.chat.completions.create(asked)
      const [choice] = choices
      expect(choice).toMatchObject({
        finish_reason: 'tool_calls',
        message: { content: null, tool_calls: [{ type: 'function', function: { name: 'add' } }] },
      })
      expect(choice!.logprobs!.content).toHaveLength(usage!.completion_tokens)
      const [call] = choice!.message.tool_calls!
      expect(call!.type === 'function' && JSON.parse(call!.function.arguments)).toEqual({ a: expect.any(Number) })
      const streamed = await client.chat.completions.stream(asked).finalChatCompletion()
      expect(streamed.choices[0]!.message.tool_calls).toMatchObject([{ function: (call as { function: object }).function }])
      expect(streamed.choices[0]!.finish_reason).toBe('tool_calls')
    },
  )

  test('gets its own turn back into the conversation, with the result of the call', async () => {
    const { choices } = await client.chat.completions.create({
      model,
      messages,
      tools: [add],
      tool_choice: 'required',
      parallel_tool_calls: false,
      seed: 2,
    })
    const { message } = choices[0]!
    const result = { role: 'tool' as const, tool_call_id: message.tool_calls![0]!.id, content: '2' }
    const next = await client.chat.completions.create({ model, messages: [...messages, message, result], tools: [add], max_tokens: 3 })
    expect(next.usage!.completion_tokens).toBeLessThanOrEqual(3)
  })

  test('parses what a schema forced', async () => {
    const Answer = z.object({ verdict: z.enum(['yes', 'no']), score: z.int().min(0).max(9), reasons: z.array(z.enum(['a', 'b'])).max(2) })
    const { choices } = await client.chat.completions.parse({
      model,
      messages,
      response_format: zodResponseFormat(Answer, 'answer'),
      seed: 5,
    })
    expect(choices[0]!.finish_reason).toBe('stop')
    expect(() => Answer.parse(choices[0]!.message.parsed)).not.toThrow()
  })

  test('gets the exact constants of the schema beyond 2^53, in a response and in the arguments of a call', async () => {
    const schema = '{"type":"object","properties":{"id":{"enum":[9007199254740993]}},"required":["id"],"additionalProperties":false}'
    const asked = { model, messages, seed: 5 }
    const format = `"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":${schema}}}`
    const tool = `{"type":"function","function":{"name":"find","strict":true,"parameters":${schema}}}`
    const answer = async (fields: string) => {
      const body = `${JSON.stringify(asked).slice(0, -1)},${fields}}`
      const headers = { authorization: `Bearer ${app.apiKey}`, 'content-type': 'application/json' }
      const response = await app.service.fetch(new Request('http://heddle.test/v1/chat/completions', { method: 'POST', headers, body }))
      const { choices } = (await response.json()) as OpenAI.ChatCompletion
      return choices[0]!.message
    }
    const written = /^\{\s*"id"\s*:\s*9007199254740993\s*\}$/
    expect(await answer(format)).toMatchObject({ content: expect.stringMatching(written) })
    expect(await answer(`"tools":[${tool}],"tool_choice":"required","parallel_tool_calls":false`)).toMatchObject({
      tool_calls: [{ function: { name: 'find', arguments: expect.stringMatching(written) } }],
    })
  })

  test('shows the message of an error', async () => {
    await expect(client.chat.completions.create({ model, messages, temperature: -1 })).rejects.toMatchObject({
      status: 400,
      param: 'temperature',
      message: expect.stringContaining('temperature is -1; it may be from 0 to 100'),
    })
  })
})

test('the log-probabilities of sampled tokens are those that training computes', async () => {
  const { choices } = await client.chat.completions.create({
    model,
    messages,
    max_tokens: 6,
    temperature: 1,
    seed: 8,
    ...({ return_token_ids: true } as object),
  })
  const { prompt_token_ids, token_ids, logprobs } = choices[0]! as unknown as {
    prompt_token_ids: number[]
    token_ids: number[]
    logprobs: { content: { logprob: number }[] }
  }
  const tokens = Int32Array.from([...prompt_token_ids, ...token_ids])
  const scored = Uint8Array.from(tokens, (_, index) => (index >= prompt_token_ids.length ? 1 : 0))
  const version = { key: 'base/tiny/', baseModel: 'tiny', folder: null }
  const { logProbabilities } = await engine.score(version, [{ tokens, scored }], new AbortController().signal)
  logprobs.content.forEach(({ logprob }, index) => expect(logprob).toBeCloseTo(logProbabilities[0]![prompt_token_ids.length + index]!, 4))
})
