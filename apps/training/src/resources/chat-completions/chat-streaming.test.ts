import type { ChatCompletion, ChatCompletionChunk } from '@heddle/core-api/types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, EngineError } from '../../engine/engine.ts'
import { send } from '../../testing/send.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'
import { accumulateByPosition } from './testing/accumulate-by-position.ts'
import { readEvents } from './testing/read-events.ts'

let app: TrainingApp
let generate: Engine['generate']
const model = 'local/streams/agent'
beforeAll(async () => {
  app = await startTrainingApp()
  generate = app.engine.generate.bind(app.engine)
  await app.client.models.create({ project: 'streams', name: 'agent', base_model: 'table', return_existing: true })
})
afterAll(() => app.close())

const request = { model, messages: [{ role: 'user', content: 'hi' }], max_tokens: 12, seed: 3 }

async function stream(body: Record<string, unknown> = {}) {
  const { status, headers, data } = await readEvents(app, { ...request, ...body })
  expect({ status, type: headers.get('content-type'), last: data.at(-1) }).toEqual({
    status: 200,
    type: 'text/event-stream',
    last: '[DONE]',
  })
  return { headers, chunks: data.slice(0, -1).map((text) => JSON.parse(text) as ChatCompletionChunk) }
}
const whole = async (body: Record<string, unknown> = {}) =>
  (await send(app, 'POST', '/v1/chat/completions', { ...request, ...body })).body as ChatCompletion

test('all chunks have one id, time and model, and the header names the step', async () => {
  const { headers, chunks } = await stream()
  expect(headers.get('x-model-step')).toBe('0')
  const [first] = chunks
  expect(first).toMatchObject({ id: expect.stringMatching(/^chatcmpl-/), object: 'chat.completion.chunk', model })
  for (const { id, created, model: named, object } of chunks) {
    expect({ id, created, model: named, object }).toEqual({
      id: first!.id,
      created: first!.created,
      model,
      object: 'chat.completion.chunk',
    })
  }
})

describe.each([[1], [3]])('with %i choices', (n) => {
  test('the first chunk has them all with their role, and every chunk has them in order', async () => {
    const { chunks } = await stream({ n })
    expect(chunks[0]!.choices.map(({ index, delta, logprobs }) => ({ index, delta, logprobs }))).toEqual(
      Array.from({ length: n }, (_, index) => ({ index, delta: { role: 'assistant', content: '' }, logprobs: { content: [] } })),
    )
    for (const { choices } of chunks) expect(choices.map(({ index }) => index)).toEqual(Array.from({ length: n }, (_, index) => index))
  })

  test('paired by position, the chunks are the completion that is not streamed', async () => {
    const asked = { n, return_token_ids: true, stream_options: { include_usage: true } }
    const { choices, usage } = accumulateByPosition((await stream(asked)).chunks)
    const completion = await whole({ n, return_token_ids: true })
    expect(usage).toEqual(completion.usage)
    expect(choices).toEqual(
      completion.choices.map(({ message, logprobs, finish_reason, token_ids }) => ({
        message: { content: message.content, tool_calls: [] },
        logprobs: { content: logprobs!.content },
        token_ids,
        finish_reason,
      })),
    )
  })
})

test('with include_usage the very last chunk has no choices and the usage, and no other has it', async () => {
  const { chunks } = await stream({ stream_options: { include_usage: true } })
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 12 } })
  expect(chunks.slice(0, -1).every(({ usage }) => !usage)).toBe(true)
})

test('without it the usage is in the last chunk, with the reason of the end', async () => {
  const { chunks } = await stream()
  expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 12 } })
})

test('ids of the prompt are in the first chunk alone, and those of each chunk are of its own tokens', async () => {
  const { chunks } = await stream({ return_token_ids: true })
  expect(chunks[0]!.prompt_token_ids).toHaveLength((await whole()).usage.prompt_tokens)
  expect(chunks.slice(1).every(({ prompt_token_ids }) => prompt_token_ids === undefined)).toBe(true)
  for (const { choices } of chunks.slice(1)) expect(choices[0]!.token_ids).toHaveLength(choices[0]!.logprobs!.content!.length)
})

test('a stop text never shows in the stream, not in part either', async () => {
  const text = (await whole()).choices[0]!.message.content!
  const stop = text.slice(4, 8)
  const { choices } = accumulateByPosition((await stream({ stop })).chunks)
  expect(choices[0]).toMatchObject({ message: { content: text.slice(0, text.indexOf(stop)) }, finish_reason: 'stop' })
  expect(choices[0]!.logprobs!.content).toHaveLength(text.indexOf(stop) + stop.length)
})

describe('failures of the engine', () => {
  const failWith = (error: Error, after: number) => {
    app.engine.generate = async function* (...args) {
      let count = 0
      for await (const tokens of generate(...args)) {
        if (count++ >= after) throw error
        yield tokens
      }
    }
  }
  const unavailable = new EngineError('unavailable', 'the engine restarts')

  test.each([[true], [false]])('before the first token are the status of the response (stream: %s)', async (isStreamed) => {
    failWith(unavailable, 0)
    const { status, headers, body } = await send(app, 'POST', '/v1/chat/completions', { ...request, stream: isStreamed })
    expect({ status, body }).toMatchObject({ status: 503, body: { error: { message: 'the engine restarts', type: 'server_error' } } })
    expect(headers.get('retry-after')).toBe('5')
  })

  test('after it are the last event', async () => {
    failWith(unavailable, 2)
    const { status, data } = await readEvents(app, request)
    expect(status).toBe(200)
    expect(JSON.parse(data.at(-2)!)).toEqual({ error: { message: 'the engine restarts', type: 'server_error', code: 503 } })
  })

  describe('that are damaged weights are 502, and name the model, the step and the way out, and no file', () => {
    const damaged = new EngineError('damaged', '/secret/adapter_model.safetensors ends before its tensor "w": 4 of 8 bytes are there')
    const message = `Stored data is damaged: step 0 of the model "${model}" cannot be used; name another step of the model, train one from it again, or restore its files from a backup (the log of the server names what is wrong)`

    test.each([[true], [false]])('as the status of the response before the first token (stream: %s)', async (isStreamed) => {
      failWith(damaged, 0)
      const { status, body } = await send(app, 'POST', '/v1/chat/completions', { ...request, stream: isStreamed })
      expect({ status, body }).toEqual({
        status: 502,
        body: { error: { message, type: 'server_error', param: null, code: 502 }, detail: message },
      })
    })

    test('as the last event after it', async () => {
      failWith(damaged, 2)
      const { status, data } = await readEvents(app, request)
      expect(status).toBe(200)
      expect(JSON.parse(data.at(-2)!)).toEqual({ error: { message, type: 'server_error', code: 502 } })
    })

    test('of a base model', async () => {
      failWith(damaged, 0)
      const { status, body } = await send(app, 'POST', '/v1/chat/completions', { ...request, model: 'table' })
      const said = 'the base model "table" cannot be used; put its files back and start the server again (its log names what is wrong)'
      expect({ status, body }).toMatchObject({ status: 502, body: { detail: `Stored data is damaged: ${said}` } })
    })
  })

  test('that nobody expected say nothing of their words', async () => {
    failWith(new Error('secret path'), 2)
    const { data } = await readEvents(app, request)
    expect(JSON.parse(data.at(-2)!)).toEqual({ error: { message: 'Internal server error', type: 'server_error', code: 500 } })
  })

  test('a client that leaves ends the sampling', async () => {
    const left = new AbortController()
    let hasEnded = false
    const ended = new Promise<void>((resolve) => {
      app.engine.generate = async function* (asked, signal) {
        try {
          for await (const tokens of generate(asked, signal)) {
            yield tokens
            left.abort()
            // Nothing more comes until the client is gone.
            await new Promise<void>((gone) => {
              if (signal.aborted) gone()
              else signal.addEventListener('abort', () => gone())
            })
          }
        } finally {
          hasEnded = true
          resolve()
        }
      }
    })
    await readEvents(app, request, left.signal).catch(() => undefined)
    await ended
    expect(hasEnded).toBe(true)
  })
})
