import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHash } from 'node:crypto'
import '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { aConfig, writeRandomModel } from '../../testing/write-random-model.ts'
import { plainSampling } from '../plain-sampling.ts'
import type { AdapterSettings, BaseModel, ModelVersion, SampledToken, SamplingSettings, TokenSequence, TrainingSession } from '../engine.ts'
import { createEmbeddedEngine, type EmbeddedEngine } from './embedded-engine.ts'

const entry = new URL('model-engine-child.js', inject('builtChildren'))
const never = new AbortController().signal
const adapter: AdapterSettings = { rank: 4, alpha: 8 }
const base: ModelVersion = { key: 'tiny', baseModel: 'tiny', folder: null }
const optimizer = { learningRate: 1e-2, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.01, clip: 1 }

let folder: string
let engine: EmbeddedEngine
const restarts: string[] = []

function start(options: { threads?: number; memoryBytes?: number; maxCompletions?: number } = {}): EmbeddedEngine {
  const models = ['tiny', 'wide'].map((id) => aBaseModel(id, join(folder, 'models', id)))
  return createEmbeddedEngine({
    entry,
    baseModels: models,
    memoryBytes: 64 * 2 ** 20,
    threads: 2,
    onRestart: ({ reason }) => restarts.push(reason),
    ...options,
  })
}

const aBaseModel = (id: string, modelFolder: string): BaseModel => ({
  id,
  folder: modelFolder,
  parameters: 1_000,
  contextLength: 128,
  adapter,
  learningRates: { rl: 1e-2, sft: 1e-2 },
})

const aFolder = () => mkdtempSync(join(folder, 'files-'))

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-engine-'))
  writeRandomModel(join(folder, 'models', 'tiny'), { config: aConfig() })
  writeRandomModel(join(folder, 'models', 'wide'), {
    config: aConfig({ vocabularySize: 512, width: 256, layers: 6, feedForwardWidth: 768 }),
  })
  engine = start()
})

afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

/** A sequence whose numbers follow from its length and a seed. */
function aSequence(length: number, seed: number): TokenSequence {
  return {
    tokens: Int32Array.from({ length }, (_, i) => (i * i + 7 * i * seed + seed) % 32),
    scored: Uint8Array.from({ length }, (_, i) => (i >= 3 ? 1 : 0)),
  }
}

const aBatch = (seed: number) => [60, 7, 100, 33, 64, 12].map((length, i) => aSequence(length, seed + i))
const rewarding = (batch: readonly TokenSequence[]) => batch.map(({ scored }) => Float32Array.from(scored, (isScored) => -isScored / 200))

async function trainSteps(session: TrainingSession, { from = 0, to }: { from?: number; to: number }): Promise<void> {
  for (let step = from; step < to; step++) {
    const batch = aBatch(step)
    await session.forward(batch, never)
    await session.backward(rewarding(batch), never)
    const { gradientNorm } = await session.step(optimizer, never)
    expect(gradientNorm).toBeGreaterThan(0)
  }
}

async function save(session: TrainingSession): Promise<string> {
  const target = aFolder()
  await session.saveCheckpoint(target, never)
  return target
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

async function collect(stream: AsyncIterable<readonly SampledToken[]>): Promise<SampledToken[]> {
  const tokens: SampledToken[] = []
  for await (const some of stream) tokens.push(...some)
  return tokens
}

function ask(settings: Partial<SamplingSettings> = {}, seeds = [1n], version = base) {
  return { version, prompt: Int32Array.of(1, 2, 3), settings: { ...plainSampling, ...settings }, seeds }
}

const openAdapter = (used: EmbeddedEngine, resumeFrom: string | null = null) =>
  used.openTraining({ from: base, adapter, seed: 1, resumeFrom }, never)

test('each completion of a request ends once, and follows from its seed alone', async () => {
  const three = await collect(engine.generate(ask({}, [5n, 6n, 7n]), never))
  const tokensOf = (tokens: readonly SampledToken[], completion: number) =>
    tokens.filter((token) => token.completion === completion).map(({ token }) => token)
  expect(
    three
      .filter(({ finish }) => finish === 'length')
      .map(({ completion }) => completion)
      .toSorted(),
  ).toEqual([0, 1, 2])
  expect(tokensOf(three, 0)).toHaveLength(20)
  const alone = await collect(engine.generate(ask({}, [6n]), never))
  expect(tokensOf(alone, 0)).toEqual(tokensOf(three, 1))
  expect(tokensOf(three, 0)).not.toEqual(tokensOf(three, 1))
})

test('a request with few completions does not wait until one of a request with many is finished', async () => {
  const narrow = start({ maxCompletions: 8 })
  try {
    let finished = 0
    let few: Promise<number> | undefined
    for await (const tokens of narrow.generate(
      ask(
        { maxTokens: 100 },
        Array.from({ length: 20 }, (_, seed) => BigInt(seed)),
      ),
      never,
    )) {
      finished += tokens.filter(({ finish }) => finish !== null).length
      few ??= collect(narrow.generate(ask({ maxTokens: 2 }, [1n]), never)).then(() => finished)
    }
    expect(await few).toBe(0)
    expect(finished).toBe(20)
  } finally {
    await narrow.close()
  }
})

test('a generation says that it got on before its first token, once its weights are loaded', async () => {
  const parts: string[] = []
  await collect(engine.generate(ask({}, [5n]), never, ({ part }) => parts.push(part)))
  expect(parts[0]).toBe('waiting')
})

test('a training raises the log-probability of what is rewarded, and its checkpoint serves the trained weights', async () => {
  const session = await openAdapter(engine)
  const batch = aBatch(0)
  const total = (values: readonly Float32Array[]) => values.flatMap((row) => [...row]).reduce((sum, value) => sum + value, 0)
  const before = await session.forward(batch, never)
  expect(total((await engine.score(base, batch, never)).logProbabilities)).toBeCloseTo(total(before.logProbabilities), 3)
  for (let step = 0; step < 5; step++) {
    await session.forward(batch, never)
    await session.backward(rewarding(batch), never)
    await session.step(optimizer, never)
  }
  const after = await session.forward(batch, never)
  expect(total(after.logProbabilities)).toBeGreaterThan(total(before.logProbabilities))
  const version = { key: 'tiny:1', baseModel: 'tiny', folder: await save(session) }
  await session.close()
  const scored = await engine.score(version, batch, never)
  expect(total(scored.logProbabilities)).toBeCloseTo(total(after.logProbabilities), 3)
  const sampled = await collect(engine.generate(ask({ temperature: 0 }, [1n], version), never))
  const tokens = Int32Array.of(1, 2, 3, ...sampled.map(({ token }) => token))
  const again = await engine.score(version, [{ tokens, scored: Uint8Array.from(tokens, (_, i) => (i > 2 ? 1 : 0)) }], never)
  expect(
    sampled
      .map(({ logProbability }, i) => Math.abs(logProbability - again.logProbabilities[0]![i + 3]!))
      .every((difference) => difference < 1e-4),
  ).toBe(true)
})

test.each([
  ['an adapter', adapter, 'adapter_model.safetensors'],
  ['every weight', null, 'model.safetensors'],
])('training %s is the same to the bit with another number of threads, and after a pause', async (_, settings, file) => {
  const open = (used: EmbeddedEngine, resumeFrom: string | null) =>
    used.openTraining({ from: base, adapter: settings, seed: 1, resumeFrom }, never)
  const whole = await open(engine, null)
  await trainSteps(whole, { to: 4 })
  const expected = hashOf(join(await save(whole), file))
  await whole.close()

  const single = start({ threads: 1 })
  try {
    const first = await open(single, null)
    await trainSteps(first, { to: 2 })
    const state = aFolder()
    await first.saveState(state, never)
    await first.close()
    const second = await open(single, state)
    await trainSteps(second, { from: 2, to: 4 })
    expect(hashOf(join(await save(second), file))).toBe(expected)
  } finally {
    await single.close()
  }
})

test('two trainings and many completions continue side by side', async () => {
  const sessions = await Promise.all([openAdapter(engine), openAdapter(engine)])
  const sampled = collect(
    engine.generate(
      ask(
        { maxTokens: 100 },
        Array.from({ length: 30 }, (_, i) => BigInt(i)),
      ),
      never,
    ),
  )
  await Promise.all(sessions.map((session) => trainSteps(session, { to: 3 })))
  expect((await sampled).filter(({ finish }) => finish === 'length')).toHaveLength(30)
  const [first, second] = await Promise.all(sessions.map(async (session) => hashOf(join(await save(session), 'adapter_model.safetensors'))))
  expect(first).toBe(second)
  await Promise.all(sessions.map((session) => session.close()))
})

test('a checkpoint has the tokenizer of its base model if there is one', async () => {
  const session = await engine.openTraining(
    { from: { key: 'wide', baseModel: 'wide', folder: null }, adapter, seed: 1, resumeFrom: null },
    never,
  )
  const target = await save(session)
  await session.close()
  expect(readdirSync(target).toSorted()).toEqual([
    'adapter_config.json',
    'adapter_model.safetensors',
    'tokenizer.json',
    'tokenizer_config.json',
  ])
})

test('leaving a generation stops its sampling', async () => {
  for await (const _ of engine.generate(ask({ maxTokens: 100 }, [1n, 2n]), never)) break
  await expect.poll(async () => (await engine.health()).detail).toMatchObject({ activeCompletions: 0, waitingCompletions: 0 })
  const left = new AbortController()
  const reading = collect(engine.generate(ask({ maxTokens: 100 }), left.signal))
  left.abort(new Error('the client left'))
  await expect(reading).rejects.toThrow('the client left')
})

test('an aborted training is closed, and its memory free', async () => {
  const session = await openAdapter(engine)
  const left = new AbortController()
  const forward = session.forward(aBatch(1), left.signal)
  left.abort(new Error('cancelled'))
  await expect(forward).rejects.toThrow('cancelled')
  await expect(session.step(optimizer, never)).rejects.toMatchObject({ name: 'EngineError', kind: 'unavailable' })
  await expect.poll(async () => (await engine.health()).detail).toMatchObject({ trainings: 0 })
})

test('a killed process is started again, and what it was doing fails', async () => {
  const session = await openAdapter(engine)
  const pid = engine.pid!
  const reading = collect(
    engine.generate(
      ask(
        { maxTokens: 120 },
        Array.from({ length: 40 }, (_, i) => BigInt(i)),
      ),
      never,
    ),
  )
  process.kill(pid, 'SIGKILL')
  await expect(reading).rejects.toMatchObject({ name: 'EngineError', kind: 'unavailable' })
  await expect(session.forward(aBatch(0), never)).rejects.toMatchObject({ kind: 'unavailable' })
  expect((await collect(engine.generate(ask(), never))).length).toBe(20)
  expect(engine.pid).not.toBe(pid)
  expect(restarts).toEqual(['the engine of models ended (SIGKILL)'])
})

test('after its end the engine refuses', async () => {
  const ended = start()
  await ended.close()
  await expect(ended.score(base, aBatch(0), never)).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'the engine of models is stopped',
  })
})

test('what does not fit in memory is refused with how much it takes', async () => {
  const small = start({ memoryBytes: 24 * 2 ** 20, threads: 1 })
  try {
    const wide = { key: 'wide', baseModel: 'wide', folder: null }
    const training = small.openTraining({ from: wide, adapter: null, seed: 1, resumeFrom: null }, never)
    await expect(training).rejects.toMatchObject({ kind: 'too-large', message: expect.stringMatching(/takes \d+ MiB .* has 24 MiB/) })
    expect((await collect(small.generate(ask({}, [1n], wide), never))).length).toBe(20)
  } finally {
    await small.close()
  }
})

test.each([
  [
    'an unknown base model',
    ask({}, [1n], { key: 'a', baseModel: 'tinny', folder: null }),
    'unknown-model',
    'unknown base model "tinny" (known: tiny, wide)',
  ],
  [
    'a token outside the vocabulary',
    { ...ask(), prompt: Int32Array.of(1, 32) },
    'unsupported',
    'token 32 is outside the vocabulary; the model has 32',
  ],
  ['an empty prompt', { ...ask(), prompt: new Int32Array(0) }, 'unsupported', 'a prompt needs at least one token'],
  [
    'a prompt that fills the context',
    { ...ask(), prompt: new Int32Array(128) },
    'too-large',
    'the prompt has 128 tokens; prompt and completion together may have 128',
  ],
])('%s is refused', async (_, request, kind, message) => {
  await expect(collect(engine.generate(request, never))).rejects.toMatchObject({ kind, message })
})

test('damaged weights are named', async () => {
  const session = await openAdapter(engine)
  const damaged = await save(session)
  await session.close()
  const path = join(damaged, 'adapter_model.safetensors')
  writeFileSync(path, readFileSync(path).subarray(0, -8))
  const version = { key: 'damaged', baseModel: 'tiny', folder: damaged }
  await expect(collect(engine.generate(ask({}, [1n], version), never))).rejects.toMatchObject({
    kind: 'damaged',
    message: expect.stringContaining('ends before its tensor'),
  })
})

describe('answers of a given form', () => {
  const wide: ModelVersion = { key: 'wide', baseModel: 'wide', folder: null }
  const schema = {
    type: 'object',
    properties: { a: { type: 'integer', maximum: 99, minimum: 10 } },
    required: ['a'],
    additionalProperties: false,
  }

  test('a random model writes what the schema allows, and stops', async () => {
    const settings = { constraint: { kind: 'json-schema', schema } as const, maxTokens: 100 }
    const tokens = await collect(engine.generate(ask(settings, [1n, 2n], wide), never))
    for (const completion of [0, 1]) {
      const own = tokens.filter((token) => token.completion === completion)
      expect(String.fromCharCode(...own.map(({ token }) => token))).toMatch(/^\{\s*"a"\s*:\s*[1-9]\d\s*\}$/)
      expect(own.at(-1)).toMatchObject({ finish: 'stop' })
    }
  })

  test('a schema that cannot be followed is refused', async () => {
    const settings = { constraint: { kind: 'json-schema', schema: { not: {} } } as const }
    await expect(collect(engine.generate(ask(settings, [1n], wide), never))).rejects.toMatchObject({ kind: 'unsupported' })
  })
})
