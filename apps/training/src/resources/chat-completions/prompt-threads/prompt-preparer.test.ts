import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { training } from '@heddle/core-api'
import '@heddle/testing'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import type { BaseModel } from '../../../engine/engine.ts'
import type { PromptRequest } from '../request/prompt-request.ts'
import { writeByteTokenizer } from '../../../tokenizer/testing/write-byte-tokenizer.ts'
import { createTokenizers } from '../../../tokenizer/tokenizers.ts'
import { createPromptPreparer, type PromptPreparer, type PromptPreparerOptions } from './prompt-preparer.ts'

const worker = new URL('prompt-thread.js', inject('builtChildren'))
const never = new AbortController().signal
let base: BaseModel
let opened: PromptPreparer[] = []

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-prompts-'))
  await writeByteTokenizer(folder)
  base = { id: 'm', parameters: 1, contextLength: 1_000, folder, adapter: null, learningRates: { rl: 1, sft: 1 } }
})
afterAll(() => rm(base.folder, { recursive: true }))
afterEach(async () => {
  for (const each of opened) await each.close()
  opened = []
})

function start(options: PromptPreparerOptions = {}): PromptPreparer {
  const preparer = createPromptPreparer(createTokenizers(), { worker, minCharacters: 0, ...options })
  opened.push(preparer)
  return preparer
}

const onLoop = () => start({ minCharacters: Infinity })
const ask = (fields: Record<string, unknown>): PromptRequest =>
  training.chatCompletions.create.body.parse({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...fields })
const work = (signal = never, caller = 'a key') => ({ caller, signal })
const failureOf = (promise: Promise<unknown>) => promise.then(() => null).catch((error: unknown) => error)

/** Whose template takes a second or so. */
const long = ask({ messages: Array.from({ length: 60_000 }, () => ({ role: 'user', content: '' })) })

test('a thread prepares what the event loop does, and refuses the same with the same field', async () => {
  const schema = { type: 'json_schema', json_schema: { name: 's', schema: { type: 'object', properties: { a: { enum: [1, 'x'] } } } } }
  for (const fields of [{}, { response_format: schema }, { messages: [{ role: 'user', content: 'ü'.repeat(300) }] }]) {
    const prepared = await start().prepare(ask(fields), base, work())
    expect(prepared).toEqual(await onLoop().prepare(ask(fields), base, work()))
    expect(prepared.tokens.length).toBeGreaterThan(10)
  }
  const failing = [
    { messages: [{ role: 'user', content: 'x'.repeat(2_000) }] },
    { tools: [{ type: 'function', function: { name: ' ' } }] },
    { response_format: { type: 'json_schema', json_schema: { name: 's', schema: { pattern: '(a)\\1' } } } },
  ]
  for (const fields of failing) {
    const [there, here] = await Promise.all([start(), onLoop()].map((preparer) => failureOf(preparer.prepare(ask(fields), base, work()))))
    expect(there).toMatchObject({
      status: 400,
      extra: { param: Object.keys(fields)[0] === 'tools' ? 'tools[0].function.name' : Object.keys(fields)[0] },
    })
    expect(there).toEqual(here)
  }
})

test('a request that goes ends its work, and the next that waits gets a thread', async () => {
  const preparer = start({ threads: 1, maxWaiting: 1 })
  const gone = new AbortController()
  const first = failureOf(preparer.prepare(long, base, work(gone.signal)))
  const second = preparer.prepare(ask({}), base, work())
  await expect(preparer.prepare(ask({}), base, work())).rejects.toMatchObject({ status: 429 })
  gone.abort(new Error('the client is gone'))
  expect(await first).toEqual(new Error('the client is gone'))
  expect((await second).tokens.length).toBeGreaterThan(10)
})

test('a prompt that takes too long is refused, and its thread does not continue with it', async () => {
  const preparer = start({ threads: 1, limitMs: 1 })
  await expect(preparer.prepare(long, base, work())).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('within 0.001 s'),
  })
})

test('short prompts of others do not wait for a long one', async () => {
  const preparer = start({ minCharacters: 16_384, threads: 1 })
  const order: string[] = []
  await Promise.all([
    failureOf(preparer.prepare(long, base, work())).then(() => order.push('long')),
    preparer.prepare(ask({}), base, work()).then(() => order.push('short')),
  ])
  expect(order).toEqual(['short', 'long'])
})

test('a short request whose schema takes much work to compile is prepared in a thread, and other ones at once', async () => {
  const asking = (schema: object) => ask({ response_format: { type: 'json_schema', json_schema: { name: 's', schema } } })
  const dear = asking({ type: 'string', pattern: '^(?:[ab]{0,40}c){0,20}$' })
  const plain = asking({ type: 'object', properties: { a: { type: 'string' }, b: { anyOf: [{ type: 'integer' }, { type: 'null' }] } } })
  const withoutThreads = start({ minCharacters: Infinity, maxSchemaWork: 1_000, worker: new URL('no-such-thread.js', worker) })
  expect((await withoutThreads.prepare(plain, base, work())).constraint).toMatchObject({ kind: 'json-schema' })
  expect(await failureOf(withoutThreads.prepare(dear, base, work()))).not.toBeNull()
  expect((await onLoop().prepare(dear, base, work())).constraint).toMatchObject({ kind: 'json-schema' })
})
