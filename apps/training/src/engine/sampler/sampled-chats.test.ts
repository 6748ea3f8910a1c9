import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Constraint } from '../../constrained/constraint.ts'
import { startTinyApp, type TinyApp, type TinyModel } from '../../testing/start-tiny-app.ts'
import { allEvents, untilEnded } from '../../testing/until-ended.ts'
import { createTinkerEngine } from '../tinker/tinker-engine.ts'
import { startTinkerServer, type TinkerServer } from '../tinker/testing/tinker-server.ts'
import { createSampledEngine } from './sampled-engine.ts'
import { type SamplerServer, startSamplerServer } from './testing/sampler-server.ts'

/** Trained by a server with the Tinker API, and sampled by vLLM. */
let tiny: TinyApp
let trainer: TinkerServer
let sampler: SamplerServer
let folder: string
let client: OpenAI
let model: TinyModel
/** What vLLM makes of a structural tag. */
let calls: Constraint | null = null

const messages = [{ role: 'user' as const, content: 'hi' }]
const schema = {
  type: 'object',
  properties: { a: { type: 'integer', minimum: 0, maximum: 99 } },
  required: ['a'],
  additionalProperties: false,
}
const add = { type: 'function' as const, function: { name: 'add', parameters: schema, strict: true } }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-sampled-'))
  tiny = await startTinyApp({}, async (embedded) => {
    trainer = await startTinkerServer({ engine: embedded, folder })
    sampler = await startSamplerServer({ engine: embedded, kind: 'vLLM', readStructuralTag: () => calls! })
    const outgoing = createOutgoing({ allowed: parseAllowedTargets(['127.0.0.1']) })
    const engine = createTinkerEngine({ outgoing, url: trainer.url, apiKey: null, baseModels: await embedded.baseModels() })
    return createSampledEngine({ engine, outgoing, url: sampler.url, apiKey: null, folder: join(folder, 'adapters') })
  })
  client = new OpenAI({ baseURL: 'http://heddle.test/v1/', apiKey: tiny.app.apiKey, maxRetries: 0, fetch: tiny.fetch })
  model = await tiny.createModel()
})

afterAll(async () => {
  await tiny.close()
  await trainer.close()
  await sampler.close()
  rmSync(folder, { recursive: true })
})

const chat = (fields: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> & Record<string, unknown> = {}) =>
  client.chat.completions.create({
    model: model.name,
    messages,
    max_tokens: 8,
    return_token_ids: true,
    ...fields,
  } as OpenAI.ChatCompletionCreateParamsNonStreaming)

test('what the sampler sampled is trained on, and the next chat is sampled with the new adapter', { timeout: 60_000 }, async () => {
  const { choices } = await chat({ n: 2, seed: 1 })
  const trajectories = choices.map((choice, at) => ({ messages_and_choices: [...messages, { ...choice }], reward: at }))
  const { id } = await tiny.app.client.trainingJobs.create({ model_id: model.id, trajectory_groups: [{ trajectories }] })
  await untilEnded(tiny.app.client, id)
  const steps = (await allEvents(tiny.app.client, id)).filter(({ type }) => type === 'gradient_step')
  // The sampled log-probabilities are those of the weights that are trained.
  expect(steps.map(({ data }) => data['probs_corr'])).toEqual([expect.closeTo(1, 4)])
  expect([...sampler.adapters.keys()]).toEqual([])

  const { response, data } = await chat({ top_logprobs: 2, logprobs: true }).withResponse()
  expect(response.headers.get('x-model-step')).toBe('1')
  expect([...sampler.adapters.keys()]).toEqual([`heddle-${model.id}-1-`])
  for (const { top_logprobs } of data.choices[0]!.logprobs!.content!) expect(top_logprobs).toHaveLength(2)
})

test('a stream brings token by token what the completion has at once', async () => {
  const texts: string[] = []
  const stream = await client.chat.completions.create({ model: model.name, messages, max_tokens: 20, seed: 4, stream: true })
  for await (const { choices } of stream) if (choices[0]?.delta.content) texts.push(choices[0].delta.content)
  expect(texts.length).toBeGreaterThan(2)
  expect(texts.join('')).toBe((await chat({ max_tokens: 20, seed: 4 })).choices[0]!.message.content)
})

test('an answer has the schema of the request', async () => {
  const response_format = { type: 'json_schema' as const, json_schema: { name: 'a', strict: true, schema } }
  const { choices } = await chat({ response_format, max_tokens: 100 })
  expect(JSON.parse(choices[0]!.message.content!)).toEqual({ a: expect.any(Number) as number })
  expect(sampler.requests.at(-1)!.body['structured_outputs']).toEqual({ json: schema })
})

test('a forced tool is called with arguments of its schema', async () => {
  const tools = [{ name: 'add', parameters: schema, strict: true }]
  const format = {
    preamble: '',
    begin: '<tool_call>\n{"name": "',
    middle: '", "arguments": ',
    id: null,
    end: '}\n</tool_call>',
    separator: '\n',
    epilogue: '',
  }
  calls = { kind: 'tool-call', tools, format, parallel: false }
  const { choices } = await chat({ tools: [add], tool_choice: 'required', parallel_tool_calls: false, max_tokens: 200 })
  const [call] = choices[0]!.message.tool_calls ?? []
  expect(call).toMatchObject({ type: 'function', function: { name: 'add' } })
})
