import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createEmbeddedEngine, type EmbeddedEngine } from '../../engine/embedded/embedded-engine.ts'
import { writePublicTemplate } from '../../tokenizer/testing/public-templates.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'
import { aConfig, writeRandomModel } from '../../testing/write-random-model.ts'

const withCalls = [
  'qwen2.5',
  'qwen3',
  'qwq',
  'mistral-7b-v0.3',
  'mistral-nemo',
  'mistral-small-3.2',
  'deepseek-r1',
  'deepseek-v3.1',
  'granite-4.0',
]
const others = ['smollm3', 'qwen3-coder']
const contextLength = 8_192

let folder: string
let engine: EmbeddedEngine
let app: TrainingApp
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-public-chat-'))
  const names = [...withCalls, ...others]
  for (const name of names) {
    // Small weights of Llama's shape, with the template and the special tokens of the family.
    writeRandomModel(join(folder, name), { config: aConfig({ vocabularySize: 512, contextLength }) })
    await writePublicTemplate(join(folder, name), name)
  }
  const baseModels = names.map((id) => ({
    id,
    folder: join(folder, id),
    parameters: 1_000,
    contextLength,
    adapter: { rank: 4, alpha: 8 },
    learningRates: { rl: 1e-2, sft: 1e-2 },
  }))
  engine = createEmbeddedEngine({
    entry: new URL('model-engine-child.js', inject('builtChildren')),
    baseModels,
    memoryBytes: 128 * 2 ** 20,
    threads: 1,
  })
  app = await startTrainingApp({ service: { engine } })
})
afterAll(async () => {
  await app.close()
  await engine.close()
  await rm(folder, { recursive: true })
})

const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Add one.' },
]
const parameters = {
  type: 'object',
  properties: { a: { type: 'integer', minimum: 0, maximum: 99 }, to: { enum: ['x', 'yz'] } },
  required: ['a', 'to'],
  additionalProperties: false,
}
const tools = ['add', 'sub_two'].map((name) => ({ type: 'function', function: { name, description: name, parameters } }))

interface Answer {
  choices: {
    finish_reason: string
    message: { content: string | null; tool_calls?: { id: string; function: { name: string; arguments: string } }[] }
  }[]
}

const chat = (model: string, body: object) =>
  app.client.chatCompletions.create({ model, messages, tools, max_tokens: 400, ...body } as never) as unknown as Promise<Answer>

describe.each(withCalls)('a model with the template of %s', (model) => {
  test.each([false, true])('makes calls that are required (several: %s), and takes them back with their results', async (parallel) => {
    const { choices } = await chat(model, { tool_choice: 'required', parallel_tool_calls: parallel, seed: 3, temperature: 1 })
    const { finish_reason, message } = choices[0]!
    expect(finish_reason).toBe('tool_calls')
    expect(message.content ?? '').toBe('')
    expect(message.tool_calls!.length).toBeGreaterThan(0)
    for (const { function: called } of message.tool_calls!) {
      expect(['add', 'sub_two']).toContain(called.name)
      expect(JSON.parse(called.arguments)).toEqual({ a: expect.any(Number), to: expect.stringMatching(/^(x|yz)$/) })
    }
    const results = message.tool_calls!.map(({ id, function: { name } }) => ({ role: 'tool', tool_call_id: id, name, content: '2' }))
    const next = await chat(model, { messages: [...messages, message, ...results], max_tokens: 2, seed: 1 })
    expect(next.choices).toHaveLength(1)
  })

  test('holds the tools of an answer that may be text', async () => {
    const strict = tools.map((tool) => ({ ...tool, function: { ...tool.function, strict: true } }))
    const { choices } = await chat(model, { tools: strict, tool_choice: 'auto', max_tokens: 60, seed: 5 })
    expect(['stop', 'length', 'tool_calls']).toContain(choices[0]!.finish_reason)
  })
})

test.each([
  ['smollm3', 'the chat template of smollm3 writes no calls; set tool_choice to "none"'],
  [
    'qwen3-coder',
    'the chat template of qwen3-coder writes calls in another form than a name with arguments in JSON; set tool_choice to "none"',
  ],
])('tools are refused by the name of the model where %s cannot write their calls', async (model, reason) => {
  await expect(chat(model, {})).rejects.toMatchObject({ status: 400, message: expect.stringContaining(reason) })
  expect((await chat(model, { tool_choice: 'none', max_tokens: 2 })).choices).toHaveLength(1)
})
