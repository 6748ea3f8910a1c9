import { fileURLToPath } from 'node:url'
import { setTimeout } from 'node:timers/promises'
import type { ChatCompletionChunk } from '@heddle/core-api/types'
import { describe, expect, test } from 'vitest'
import type { GenerationProgress, SampledToken } from '../../../engine/engine.ts'
import { plainSampling } from '../../../engine/plain-sampling.ts'
import { loadTokenizer } from '../../../tokenizer/load-tokenizer.ts'
import type { CompletionPlan } from '../request/plan-completion.ts'
import { toChunks } from '../response/to-chunks.ts'
import { toCompletion } from '../response/to-completion.ts'
import type { ChoiceDelta } from './choice-writer.ts'
import { type CompletionTimes, createCompletionDeadlines, defaultCompletionTimes } from './completion-deadlines.ts'
import { generateChoices, type GenerateOptions } from './generate-choices.ts'

const tokenizer = await loadTokenizer(fileURLToPath(new URL('../../../../base-models/heddle-nano', import.meta.url)))
const plan: CompletionPlan = {
  model: 'm',
  prompt: Int32Array.of(1),
  settings: plainSampling,
  seeds: [1n, 2n],
  stop: { texts: ['x'], tokens: new Set(), isKept: false },
  calls: null,
  reasoningTag: null,
  isPlain: false,
  report: { reasoning: true, logprobs: true, asTokenIds: true, tokenIds: true },
}
const token = (completion: number, text: string, finish: SampledToken['finish'] = null): SampledToken => ({
  completion,
  token: text.codePointAt(0)!,
  logProbability: -1,
  top: [],
  finish,
})

type Steps = (onProgress: (progress: GenerationProgress) => void) => AsyncGenerator<readonly SampledToken[]>

function generate(steps: Steps, times: Partial<CompletionTimes> = {}) {
  const never = new AbortController().signal
  const options: GenerateOptions = {
    engine: { generate: (_, signal, onProgress) => untilAborted(steps(onProgress!), signal) },
    version: { key: 'k', baseModel: 'm', folder: null },
    plan,
    tokenizer,
    newCallId: () => 'call_1',
    deadlines: createCompletionDeadlines({ ...defaultCompletionTimes, ...times }, never),
  }
  return collect(generateChoices(options))
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const value of values) collected.push(value)
  return collected
}

async function* untilAborted(steps: AsyncGenerator<readonly SampledToken[]>, signal: AbortSignal) {
  const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  aborted.catch(() => undefined)
  for (;;) {
    const step = await Promise.race([steps.next(), aborted])
    if (step.done) return
    yield step.value
  }
}

test('tokens that arrive together are one delta for each choice, and none follow the end of a choice', async () => {
  const deltas = await generate(async function* () {
    yield [token(0, 'a'), token(0, 'b'), token(1, 'c')]
    yield [token(0, 'x'), token(1, 'd')]
    yield [token(0, 'e'), token(1, 'f', 'length')]
    throw new Error('nobody waits for more')
  })
  expect(deltas.map((some) => some.map(({ index, text, tokens, end }) => [index, text, tokens.length, end?.reason ?? null]))).toEqual([
    [
      [0, 'ab', 2, null],
      [1, 'c', 1, null],
    ],
    [
      [0, '', 1, 'stop'],
      [1, 'd', 1, null],
    ],
    [[1, 'f', 1, 'length']],
  ])
})

test('a byte order mark is text like any other', async () => {
  const bytes = [...new TextEncoder().encode('\ufeffx')]
  const deltas = await generate(async function* () {
    for (const [at, byte] of bytes.entries())
      yield [0, 1].map((completion) => token(completion, String.fromCharCode(byte), at === bytes.length - 1 ? 'length' : null))
  })
  expect(deltas.flatMap((some) => some.map(({ text }) => text)).join('')).toBe('\ufeff\ufeff')
})

test('an engine that ends too early is an error, not a short completion', async () => {
  const ended = generate(async function* () {
    yield [token(0, 'a')]
  })
  await expect(ended).rejects.toThrow('the engine ended before every completion had ended')
})

const stuck = () => new Promise(() => undefined)

test('a model that does not load in time is 503 with the time to come back', async () => {
  const loading = generate(
    async function* () {
      await stuck()
      yield []
    },
    { loadingMs: 1 },
  )
  await expect(loading).rejects.toMatchObject({
    status: 503,
    retryAfterSeconds: 30,
    message: expect.stringMatching(/the model did not load within \d+ s, which HEDDLE_CHAT_LOADING_SECONDS sets/),
  })
})

test('what takes longer than the loading of a model may, once it is loaded, is sampled to its end', async () => {
  const deltas = await generate(
    async function* (onProgress) {
      onProgress({ part: 'remote' })
      await setTimeout(50)
      yield [token(0, 'x'), token(1, 'x')]
    },
    { loadingMs: 1, stallMs: 1 },
  )
  expect(deltas).toHaveLength(1)
})

test.each([
  ['prompt', 'the prompt got no further'],
  ['waiting', 'the engine of models sampled nothing'],
] as const)('a %s without progress is 503 that says so', async (part, message) => {
  const stalled = generate(
    async function* (onProgress) {
      onProgress({ part })
      await stuck()
      yield []
    },
    { stallMs: 1 },
  )
  await expect(stalled).rejects.toMatchObject({ status: 503, message: expect.stringContaining(message) })
  await expect(stalled).rejects.toThrow('HEDDLE_CHAT_STALL_SECONDS')
})

describe('reasoning', () => {
  const said = '<think>hm</think>Four'
  async function* steps(): AsyncGenerator<readonly SampledToken[]> {
    for (const [at, letter] of [...said].entries())
      yield [0, 1].map((completion) => token(completion, letter, at === said.length - 1 ? 'stop' : null))
  }
  async function* parts(): AsyncGenerator<ChoiceDelta[]> {
    yield* await generate(steps)
  }
  const head = (reasoning: boolean) => ({ id: 'i', created: 1, plan: { ...plan, report: { ...plan.report, reasoning } } })

  test('stands beside the answer, which has log-probabilities of all tokens; without it nothing else changes', async () => {
    const [withIt, without] = [await toCompletion(head(true), parts()), await toCompletion(head(false), parts())]
    expect(withIt.choices[0]).toMatchObject({
      message: { content: 'Four', reasoning: 'hm', reasoning_content: 'hm' },
      finish_reason: 'stop',
    })
    expect(withIt.choices[0]?.logprobs?.content).toHaveLength(said.length)
    const { reasoning: _, reasoning_content: __, ...message } = withIt.choices[0]!.message
    expect(without.choices[0]).toEqual({ ...withIt.choices[0], message })
  })

  test.each([true, false])('is streamed before the answer (%s: include_reasoning)', async (isShown) => {
    const deltas: ChatCompletionChunk['choices'][number]['delta'][] = []
    for await (const { choices } of toChunks(head(isShown), parts(), false)) deltas.push(choices[0]!.delta)
    const joined = (key: 'reasoning' | 'reasoning_content' | 'content') => deltas.map((delta) => delta[key] ?? '').join('')
    const shown = isShown ? 'hm' : ''
    expect([joined('reasoning'), joined('reasoning_content'), joined('content')]).toEqual([shown, shown, 'Four'])
  })
})
