import { EventEmitter, once } from 'node:events'
import type { ChatCompletion } from '@heddle/core-api/types'
import fc from 'fast-check'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { EngineError } from '../../engine/engine.ts'
import { send } from '../../testing/send.ts'
import { startTinyApp, type TinyApp } from '../../testing/start-tiny-app.ts'
import { startTrainingApp } from '../../testing/start-training-app.ts'

let tiny: TinyApp
let client: OpenAI
let model: string
beforeAll(async () => {
  tiny = await startTinyApp()
  model = (await tiny.createModel()).name
  client = new OpenAI({ baseURL: 'http://heddle.test/v1', apiKey: tiny.app.apiKey, maxRetries: 0, fetch: tiny.fetch })
})
afterAll(() => tiny.close())

const post = (body: object, headers: Record<string, string> = {}) => send(tiny.app, 'POST', '/v1/completions', body, headers)

type Chat = ChatCompletion & { choices: { token_ids: number[]; prompt_token_ids: number[] }[] }
async function chat(body: object): Promise<Chat['choices'][number]> {
  const asked = { model, messages: [{ role: 'user', content: 'hi' }], return_token_ids: true, ...body }
  return ((await send(tiny.app, 'POST', '/v1/chat/completions', asked)).body as Chat).choices[0]!
}

test('the tokens of a chat are completed as the chat is, with the same log-probabilities', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ seed: fc.integer(), temperature: fc.constantFrom(0, 0.7, 1), max_tokens: fc.integer({ min: 1, max: 8 }) }),
      async (sampling) => {
        const { prompt_token_ids: prompt, message, logprobs } = await chat(sampling)
        const { choices, usage } = await client.completions.create({ model, prompt, logprobs: 0, ...sampling })
        expect(choices[0]).toMatchObject({
          text: message.content,
          logprobs: { token_logprobs: logprobs!.content!.map(({ logprob }) => logprob) },
        })
        expect(usage).toMatchObject({ prompt_tokens: prompt.length, completion_tokens: logprobs!.content!.length })
      },
    ),
    { numRuns: inject('long') ? 100 : 8 },
  )
})

describe('an echoed prompt', () => {
  test('has the log-probabilities with which its tokens were sampled', async () => {
    const { prompt_token_ids, token_ids, logprobs } = await chat({ seed: 3, temperature: 1, max_tokens: 8 })
    const prompt = [...prompt_token_ids, ...token_ids]
    const { choices } = await client.completions.create({ model, prompt, max_tokens: 1, echo: true, logprobs: 0, seed: 1 })
    const given = choices[0]!.logprobs!.token_logprobs!
    expect(given).toHaveLength(prompt.length + 1)
    expect(given[0]).toBeNull()
    logprobs!.content!.forEach(({ logprob }, index) => expect(given[prompt_token_ids.length + index]).toBeCloseTo(logprob, 4))
  })

  test('has its own tokens among the alternatives, however unlikely they are', async () => {
    const { choices } = await client.completions.create({ model, prompt: 'q#Zq#Z', max_tokens: 0, echo: true, logprobs: 1 })
    const { tokens, token_logprobs, top_logprobs } = choices[0]!.logprobs!
    expect(tokens!.length).toBeGreaterThan(3)
    const own = tokens!.slice(1).map((token, place) => top_logprobs![place + 1]![token])
    expect(own).toEqual(token_logprobs!.slice(1))
    expect(top_logprobs!.slice(1).some((alternatives) => Object.keys(alternatives).length === 2)).toBe(true)
  })

  test('has the likeliest alternatives, so that a harness can tell whether it is what the model would have said', async () => {
    const { prompt_token_ids, token_ids } = await chat({ seed: 3, temperature: 0, max_tokens: 6 })
    const greedy = [...prompt_token_ids, ...token_ids]
    const isGreedy = async (prompt: number[]) => {
      const { choices } = await client.completions.create({ model, prompt, max_tokens: 1, echo: true, logprobs: 1, temperature: 0 })
      const { token_logprobs, top_logprobs } = choices[0]!.logprobs!
      const from = prompt_token_ids.length
      return token_logprobs!.slice(from, -1).every((logprob, index) => logprob === Math.max(...Object.values(top_logprobs![from + index]!)))
    }
    expect(await isGreedy(greedy)).toBe(true)
    const other = [...greedy.slice(0, -1), greedy.at(-1) === 97 ? 98 : 97]
    expect(await isGreedy(other)).toBe(false)
  })

  test('is before the text, and each token begins where it is said to', async () => {
    const { choices } = await client.completions.create({ model, prompt: 'to be', max_tokens: 3, echo: true, logprobs: 2, seed: 9 })
    const { text, logprobs } = choices[0]!
    expect(text.startsWith('to be')).toBe(true)
    const { tokens, text_offset } = logprobs!
    const inPrompt = tokens!
      .map((token, index) => ({ token, from: text_offset![index]! }))
      .filter(({ from, token }) => from + token.length <= 5)
    expect(inPrompt.map(({ token }) => token).join('')).toBe('to be')
    for (const { token, from } of inPrompt) expect(text.slice(from, from + token.length)).toBe(token)
  })

  test('of one token has none for it', async () => {
    const { choices } = await client.completions.create({ model, prompt: [97], max_tokens: 2, echo: true, logprobs: 1, seed: 1 })
    expect(choices[0]!.logprobs!.token_logprobs).toEqual([null, expect.any(Number), expect.any(Number)])
  })

  test('is all there is where no token is wanted, alone and among others, streamed and not', async () => {
    const asked = { model, prompt: ['to be', 'or not'], echo: true, logprobs: 1, max_tokens: 0 }
    const { choices, usage } = await client.completions.create(asked)
    const longer = await client.completions.create({ ...asked, max_tokens: 1, seed: 1 })
    expect(choices.map(({ text, finish_reason }) => ({ text, finish_reason }))).toEqual([
      { text: 'to be', finish_reason: 'length' },
      { text: 'or not', finish_reason: 'length' },
    ])
    expect(choices.map(({ logprobs }) => logprobs!.token_logprobs)).toEqual(
      longer.choices.map(({ logprobs }) => logprobs!.token_logprobs!.slice(0, -1)),
    )
    expect(usage).toMatchObject({ completion_tokens: 0, total_tokens: usage!.prompt_tokens })
    const streamed = choices.map(() => ({ text: '', logprobs: [] as unknown[], finish_reason: '' as string | null }))
    for await (const chunk of await client.completions.create({ ...asked, stream: true }))
      for (const { index, text, logprobs, finish_reason } of chunk.choices) {
        streamed[index]!.text += text
        streamed[index]!.logprobs.push(...logprobs!.token_logprobs!)
        streamed[index]!.finish_reason = finish_reason
      }
    expect(streamed).toEqual(
      choices.map(({ text, logprobs, finish_reason }) => ({ text, logprobs: logprobs!.token_logprobs, finish_reason })),
    )
  })

  test('comes back without log-probabilities where none are requested', async () => {
    const { choices } = await client.completions.create({ model, prompt: 'to be', max_tokens: 1, echo: true })
    expect(choices[0]).toMatchObject({ text: expect.stringMatching(/^to be/), logprobs: null })
  })
})

test('several prompts with several completions each are in the order of the prompts, as each alone', async () => {
  const asked = { model, max_tokens: 4, n: 2, seed: 5, echo: true, logprobs: 0 }
  const { choices, usage } = await client.completions.create({ ...asked, prompt: ['one', 'two'] })
  const alone = await Promise.all(['one', 'two'].map((prompt) => client.completions.create({ ...asked, prompt })))
  expect(choices.map(({ index }) => index)).toEqual([0, 1, 2, 3])
  expect(choices.map(({ text, logprobs }) => ({ text, logprobs }))).toEqual(
    alone.flatMap((one) => one.choices.map(({ text, logprobs }) => ({ text, logprobs }))),
  )
  expect(usage!.total_tokens).toBe(alone.reduce((sum, one) => sum + one.usage!.total_tokens, 0))
})

test.each([[false], [true]])('a stream has the same, with the usage at its end (requested: %s)', async (include_usage) => {
  const asked = { model, prompt: ['one', 'two'], max_tokens: 6, n: 2, seed: 5, echo: true, logprobs: 1 }
  const whole = await client.completions.create(asked)
  const joined = whole.choices.map(() => ({
    text: '',
    tokens: [] as unknown[],
    offsets: [] as unknown[],
    logprobs: [] as unknown[],
    reason: '' as string | null,
  }))
  let usage: unknown
  for await (const chunk of await client.completions.create({ ...asked, stream: true, stream_options: { include_usage } })) {
    usage = chunk.usage ?? usage
    for (const { index, text, logprobs, finish_reason } of chunk.choices) {
      const choice = joined[index]!
      choice.text += text
      choice.tokens.push(...logprobs!.tokens!)
      choice.offsets.push(...logprobs!.text_offset!)
      choice.logprobs.push(...logprobs!.token_logprobs!)
      choice.reason = finish_reason
    }
  }
  expect(joined).toEqual(
    whole.choices.map(({ text, logprobs, finish_reason }) => ({
      text,
      tokens: logprobs!.tokens,
      offsets: logprobs!.text_offset,
      logprobs: logprobs!.token_logprobs,
      reason: finish_reason,
    })),
  )
  expect(usage).toEqual(whole.usage)
})

test('more long prompts than may wait for a thread are completed all the same', async () => {
  const app = await startTrainingApp({ service: { promptThreads: { minCharacters: 0, threads: 1, maxWaiting: 1 } } })
  const { status, body } = await send(app, 'POST', '/v1/completions', { model: 'table', prompt: ['a', 'b', 'c', 'd'], max_tokens: 1 })
  expect({ status, body }).toMatchObject({ status: 200, body: { choices: [{ index: 0 }, { index: 1 }, { index: 2 }, { index: 3 }] } })
  await app.close()
})

test('a prompt that fails ends the completions of the others', async () => {
  const app = await startTrainingApp()
  const events = new EventEmitter()
  const [begun, ended] = [once(events, 'begun'), once(events, 'ended')]
  app.engine.generate = async function* ({ prompt }, signal) {
    if (prompt.at(-1) === 98) {
      await begun
      throw new EngineError('unsupported', 'no room for b')
    }
    signal.addEventListener('abort', () => events.emit('ended'))
    events.emit('begun')
    await ended
    yield* []
    throw signal.reason
  }
  const { status, body } = await send(app, 'POST', '/v1/completions', { model: 'table', prompt: ['a', 'b'], max_tokens: 1 })
  await ended
  expect({ status, body }).toMatchObject({ status: 400, body: { error: { message: 'no room for b' } } })
  await app.close()
})

test('tags of reasoning are text like any other', async () => {
  const app = await startTrainingApp()
  const text = '<think>a</think>b'
  app.engine.generate = async function* () {
    const bytes = [...Buffer.from(text)]
    for (const [index, token] of bytes.entries())
      yield [{ completion: 0, token, logProbability: -1, top: [], finish: index === bytes.length - 1 ? 'length' : null }]
  }
  const { body } = await send(app, 'POST', '/v1/completions', { model: 'table', prompt: 'x', max_tokens: 50 })
  expect(body).toMatchObject({ choices: [{ text, finish_reason: 'length', logprobs: null }] })
  await app.close()
})

describe('refused with the field', () => {
  test.each<[string, object, string]>([
    ['no prompt', { prompt: [] }, 'prompt is empty'],
    ['a prompt without tokens', { prompt: [[]] }, 'prompt has no tokens'],
    ['an unknown token', { prompt: [1, 512] }, 'prompt has the token 512; ids are 0 to 511'],
    ['a prompt that is too long', { prompt: 'x'.repeat(5_000) }, 'the context of tiny is 768 tokens'],
    ['too many tokens', { prompt: Array.from({ length: 768 }, () => 97) }, 'prompt: at least 768 tokens'],
    ['too many completions', { prompt: ['a', 'b'], n: 65 }, 'prompt has 2 prompts with 65 completions each'],
    ['the best of several', { best_of: 2 }, 'best_of is 2'],
    ['a text behind it', { suffix: 'x' }, 'suffix is not supported'],
    ['no token', { max_tokens: 0 }, 'max_tokens is 0'],
  ])('%s', async (_what, body, message) => {
    const answer = await post({ model: 'tiny', prompt: 'x', ...body })
    expect(answer).toMatchObject({ status: 400, body: { error: { message: expect.stringContaining(message) } } })
  })

  test('a trajectory', async () => {
    const { status, body } = await post({ model, prompt: 'x' }, { 'x-heddle-trajectory-id': 't' })
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('x-heddle-trajectory-id is for chats') } },
    })
  })

  test('a body of any JSON is refused or answered, and never fails', async () => {
    const field = fc.constantFrom('prompt', 'n', 'echo', 'logprobs', 'stop', 'logit_bias', 'stream_options')
    await fc.assert(
      fc.asyncProperty(field, fc.jsonValue({ maxDepth: 3 }), async (name, value) => {
        const { status, body } = await post({ model: 'tiny', prompt: 'x', max_tokens: 1, [name]: value })
        expect({ status, body }).toMatchObject({ status: expect.toSatisfy((code: number) => code < 500) })
      }),
      { numRuns: inject('long') ? 2_000 : 60 },
    )
  })
})
