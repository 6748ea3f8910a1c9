import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addCheckpoint } from '../../testing/add-checkpoint.ts'
import { send } from '../../testing/send.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'
import { defaultGenerationLimits } from './generation/generation-queue.ts'

let app: TrainingApp
let model: { id: string; project: string; name: string }
beforeAll(async () => {
  app = await startTrainingApp()
  const project = `p-${randomUUID()}`
  const { id } = await app.client.models.create({ project, name: 'agent.v-1_x', base_model: 'table', return_existing: true })
  model = { id, project, name: `local/${project}/agent.v-1_x` }
})
afterAll(() => app.close())

const messages = [{ role: 'user', content: 'hi' }]
const ask = (body: Record<string, unknown> = {}, path = '/v1/chat/completions') =>
  send(app, 'POST', path, { model: model.name, messages, max_tokens: 8, seed: 7, ...body })

interface Choice {
  message: { content: string | null }
  logprobs: { content: { token: string; logprob: number; bytes: number[]; top_logprobs: unknown[] }[] } | null
  finish_reason: string
  stop_reason: string | number | null
  token_ids?: number[]
  prompt_token_ids?: number[]
}
interface Completion {
  id: string
  model: string
  choices: Choice[]
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number }
  prompt_token_ids?: number[]
}
const complete = async (body: Record<string, unknown> = {}) => {
  const { status, body: completion } = await ask(body)
  expect({ status, completion }).toMatchObject({ status: 200 })
  return completion as Completion
}

describe('paths', () => {
  test.each(['/v1/chat/completions', '/v1/chat/completions/', '/v1//chat/completions', '/v1//chat//completions/'])(
    '%s answers without a redirect',
    async (path) => {
      expect((await ask({}, path)).status).toBe(200)
    },
  )

  test('a key is needed', async () => {
    const { status, body } = await send({ ...app, apiKey: 'none' }, 'POST', '/v1/chat/completions', { model: 'table', messages })
    expect({ status, body }).toMatchObject({ status: 401, body: { error: { type: 'authentication_error' } } })
  })
})

describe('names of models', () => {
  test.each([
    ['a path', (name: string) => name],
    ['an artifact with three slashes', (name: string) => `wandb-artifact:///${name}`],
    ['an artifact with two slashes', (name: string) => `other1-artifact://${name}`],
    ['the newest', (name: string) => `${name}:latest`],
    ['a step', (name: string) => `${name}:step0`],
    ['a step behind @', (name: string) => `${name}@0`],
    ['the first stored version', (name: string) => `wandb-artifact:///${name}:v0`],
  ])('%s', async (_kind, toName) => {
    const { status, headers, body } = await ask({ model: toName(model.name) })
    expect({ status, step: headers.get('x-model-step'), model: (body as Completion).model }).toEqual({
      status: 200,
      step: '0',
      model: toName(model.name),
    })
  })

  test('the id of a model is a name of it', async () => {
    expect((await ask({ model: model.id })).headers.get('x-model-step')).toBe('0')
  })

  test('a base model is itself, without a step', async () => {
    const { status, headers } = await ask({ model: 'table' })
    expect([status, headers.get('x-model-step')]).toEqual([200, null])
  })

  test('the newest step is served as soon as it is there, and old ones still are', async () => {
    const { id } = await app.client.models.create({ project: model.project, name: 'stepped', base_model: 'table', return_existing: true })
    const name = `local/${model.project}/stepped`
    await addCheckpoint(app, id, 7)
    const stepOf = async (alias: string) => (await ask({ model: `${name}${alias}` })).headers.get('x-model-step')
    expect([await stepOf(''), await stepOf(':step0'), await stepOf(':v1'), await stepOf('@7')]).toEqual(['7', '0', '7', '7'])
  })

  test.each([
    ['a model that is not there', (name: string) => `${name}-other`],
    ['a step that is not there', (name: string) => `${name}:step9`],
    ['a version that is not there', (name: string) => `${name}:v9`],
    ['an alias that means nothing', (name: string) => `${name}:best`],
    ['a project that is not there', () => 'local/nowhere/agent'],
    ['a name of no form', () => 'gpt'],
    ['a name with NUL', (name: string) => `${name}\0`],
  ])('%s is not found', async (_kind, toName) => {
    const { status, body } = await ask({ model: toName(model.name) })
    expect({ status, body }).toMatchObject({
      status: 404,
      body: { error: { type: 'not_found_error', param: 'model', code: 404, message: expect.any(String) }, detail: expect.any(String) },
    })
  })

  test('a model of another tenant is not found', async () => {
    const stranger = await app.identity.createKey({ name: 'stranger', role: 'admin', entity: 'elsewhere' })
    for (const name of [model.name, model.id]) {
      const { status } = await send({ ...app, apiKey: stranger.secret }, 'POST', '/v1/chat/completions', { model: name, messages })
      expect(status).toBe(404)
    }
  })

  test.each([[null], [undefined]])('model %s is 400', async (name) => {
    expect(await ask({ model: name })).toMatchObject({ status: 400, body: { error: { param: 'model' } } })
  })
})

describe('what training depends on', () => {
  test.each([[{}], [{ logprobs: false }], [{ logprobs: null, top_logprobs: null }]])(
    'a trained model reports every token by its id, whatever was asked (%j)',
    async (body) => {
      const { choices, usage } = await complete(body)
      const entries = choices[0]!.logprobs!.content
      expect(entries).toHaveLength(usage.completion_tokens)
      for (const { token, logprob, bytes, top_logprobs } of entries) {
        expect(token).toMatch(/^token_id:\d+$/)
        expect(logprob).toBeLessThanOrEqual(0)
        expect([bytes.length > 0, top_logprobs]).toEqual([true, []])
      }
      const text = Buffer.from(entries.flatMap(({ bytes, token }) => (Number(token.slice(9)) < 256 ? bytes : []))).toString()
      expect(choices[0]!.message.content).toBe(text)
    },
  )

  test('tokens are texts where the caller asks for that', async () => {
    const { choices } = await complete({ return_tokens_as_token_ids: false })
    expect(choices[0]!.logprobs!.content.map(({ token }) => token).join('')).toBe(choices[0]!.message.content)
  })

  test('ids of prompt and completion, at the top and in the choice', async () => {
    const { prompt_token_ids, choices, usage } = await complete({ return_token_ids: true, return_tokens_as_token_ids: true })
    const ids = choices[0]!.logprobs!.content.map(({ token }) => Number(token.slice('token_id:'.length)))
    expect(choices[0]!.token_ids).toEqual(ids)
    expect(prompt_token_ids).toHaveLength(usage.prompt_tokens)
    expect(choices[0]!.prompt_token_ids).toEqual(prompt_token_ids)
  })

  test('a base model follows the request', async () => {
    expect((await complete({ model: 'table' })).choices[0]!.logprobs).toBeNull()
    const { choices } = await complete({ model: 'table', logprobs: true })
    expect(choices[0]!.logprobs!.content[0]!.token).not.toMatch(/^token_id/)
  })
})

describe('choices', () => {
  test('an equal seed gives equal choices, which differ among each other', async () => {
    const texts = async (seed: unknown) => (await complete({ n: 3, seed, max_tokens: 30 })).choices.map(({ message }) => message.content)
    const first = await texts(5)
    expect(await texts(5)).toEqual(first)
    expect(await texts(6)).not.toEqual(first)
    expect(new Set(first).size).toBe(3)
    expect(await texts('-9223372036854775808')).not.toEqual(first)
  })

  test('tokens of all choices are counted', async () => {
    const { choices, usage } = await complete({ n: 3 })
    const entries = choices.reduce((sum, { logprobs }) => sum + logprobs!.content.length, 0)
    expect(usage).toMatchObject({ completion_tokens: entries, total_tokens: usage.prompt_tokens + entries })
  })

  test('max_completion_tokens wins over max_tokens, and finish_reason says so', async () => {
    const { choices, usage } = await complete({ max_tokens: 9, max_completion_tokens: 3 })
    expect([usage.completion_tokens, choices[0]!.finish_reason, choices[0]!.stop_reason]).toEqual([3, 'length', null])
  })

  test('a stop text is cut off, named and counted', async () => {
    const whole = (await complete({ max_tokens: 20 })).choices[0]!.message.content!
    const stop = whole.slice(5, 8)
    const at = whole.indexOf(stop)
    const cut = await complete({ max_tokens: 20, stop: ['never there', stop] })
    expect(cut.choices[0]).toMatchObject({ message: { content: whole.slice(0, at) }, finish_reason: 'stop', stop_reason: stop })
    expect(cut.usage.completion_tokens).toBe(at + 3)
    expect(cut.choices[0]!.logprobs!.content).toHaveLength(at + 3)
    const kept = await complete({ max_tokens: 20, stop, include_stop_str_in_output: true })
    expect(kept.choices[0]!.message.content).toBe(whole.slice(0, at + 3))
  })

  test('a stop token ends a completion and is named', async () => {
    const { choices } = await complete({ max_tokens: 20, return_token_ids: true })
    const token = choices[0]!.token_ids![4]!
    const cut = await complete({ max_tokens: 20, stop_token_ids: [token], return_token_ids: true })
    expect(cut.choices[0]).toMatchObject({ finish_reason: 'stop', stop_reason: token })
    expect(cut.choices[0]!.token_ids!.at(-1)).toBe(token)
    expect(cut.choices[0]!.message.content).toHaveLength(cut.usage.completion_tokens - 1)
  })
})

describe('requests that are refused by the name of their field', () => {
  test.each<[string, Record<string, unknown>]>([
    ['echo', { echo: true }],
    ['prompt_logprobs', { prompt_logprobs: 0 }],
    ['truncate_prompt_tokens', { truncate_prompt_tokens: 5 }],
    ['structured_outputs', { structured_outputs: {} }],
    ['documents', { documents: [{}] }],
    ['mm_processor_kwargs', { mm_processor_kwargs: {} }],
    ['allowed_token_ids', { allowed_token_ids: [1] }],
    ['bad_words', { bad_words: ['x'] }],
    ['logits_processors', { logits_processors: ['x'] }],
    ['chat_template', { chat_template: '{{ x }}' }],
    ['continue_final_message', { continue_final_message: true, add_generation_prompt: true }],
    ['reasoning_effort', { reasoning_effort: 'much' }],
    ['temperature', { temperature: -1 }],
    ['top_p', { top_p: 0 }],
    ['top_k', { top_k: -2 }],
    ['min_p', { min_p: 2 }],
    ['frequency_penalty', { frequency_penalty: 3 }],
    ['presence_penalty', { presence_penalty: -3 }],
    ['repetition_penalty', { repetition_penalty: 0 }],
    ['max_tokens', { max_tokens: 0 }],
    ['max_completion_tokens', { max_completion_tokens: 0 }],
    ['min_tokens', { min_tokens: 9, max_tokens: 8 }],
    ['logit_bias', { logit_bias: { x: 1 } }],
    ['logit_bias', { logit_bias: { 1: 101 } }],
    ['stop_token_ids', { stop_token_ids: [-1] }],
    ['stop', { stop: '' }],
    ['seed', { seed: 1.5 }],
    ['seed', { seed: '9223372036854775808' }],
    ['response_format', { response_format: { type: 'structural_tag' } }],
    ['response_format', { response_format: { type: 'json_schema' } }],
    ['response_format', { response_format: { type: 'json_schema', json_schema: { schema: { pattern: '(a)\\1' } } } }],
    ['tools', { tools: [{ type: 'function', function: { name: 'f' } }] }],
    ['tools[0].function.name', { tools: [{ type: 'function', function: { name: 'a b' } }] }],
    ['tools[0].type', { tools: [{ type: 'retrieval' }] }],
    ['tool_choice', { tool_choice: 'required' }],
    ['tool_choice', { tools: [{ name: 'f' }], tool_choice: { type: 'function', function: { name: 'g' } } }],
    ['tool_choice', { tools: [{ name: 'f' }], tool_choice: 'any' }],
    ['messages', { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }],
  ])('%s %j', async (field, body) => {
    const response = await ask(body)
    expect(response).toMatchObject({ status: 400, body: { error: { type: 'invalid_request_error', param: field, code: 400 } } })
    const { error, detail } = response.body as { error: { message: string }; detail: string }
    expect([error.message.startsWith(field), detail]).toEqual([true, error.message])
  })

  test('the wrong shape is 422 with the list of issues and the error of chat clients', async () => {
    expect(await ask({ messages: 'hi' })).toMatchObject({
      status: 422,
      body: { error: { code: 422 }, detail: [{ loc: ['body', 'messages'] }] },
    })
  })

  test('a prompt beyond the context names both numbers', async () => {
    const { status, body } = await ask({ messages: [{ role: 'user', content: 'x'.repeat(600) }] })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/6\d\d tokens; the context of table is 512 tokens/) } },
    })
    const long = await ask({ messages: [{ role: 'user', content: 'x'.repeat(1_000_000) }] })
    expect(long).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/at least \d+ tokens; the context of table is 512/) } },
    })
  })

  test('unknown keys, and fields that only hint, are ignored', async () => {
    const hints = { nvext: { extra_fields: ['engine_data'] }, chat_template_kwargs: { preserve_thinking: true }, priority: 1, user: 'u' }
    await complete({ ...hints, whatever: 1, store: false })
  })
})

test('the last message is continued, and its end is the end of the prompt', async () => {
  const { prompt_token_ids } = await complete({
    messages: [...messages, { role: 'assistant', content: 'Once upon' }],
    continue_final_message: true,
    add_generation_prompt: false,
    return_token_ids: true,
  })
  expect(Buffer.from(prompt_token_ids!.filter((id) => id < 256)).toString()).toMatch(/Once upon$/)
})

describe('too many at once', () => {
  test('is 429 with the time to come back, and over when one has ended', async () => {
    const { engine, ...server } = await app.anotherServer({ generationLimits: { ...defaultGenerationLimits, total: 1 } })
    const generate = engine.generate.bind(engine)
    let begin = () => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    let go = () => {}
    const gone = new Promise<void>((resolve) => (go = resolve))
    engine.generate = async function* (...args) {
      begin()
      await gone
      yield* generate(...args)
    }
    const request = { model: 'table', messages, max_tokens: 2 }
    const first = send(server, 'POST', '/v1/chat/completions', request)
    await begun
    for (const stream of [true, false]) {
      const { status, headers, body } = await send(server, 'POST', '/v1/chat/completions', { ...request, stream })
      expect({ status, body, after: headers.get('retry-after') }).toMatchObject({
        status: 429,
        body: { error: { message: 'Concurrency limit reached for requests', type: 'rate_limit_error' } },
        after: '5',
      })
    }
    go()
    expect((await first).status).toBe(200)
    expect((await send(server, 'POST', '/v1/chat/completions', request)).status).toBe(200)
  })
})
