import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { openSafetensors } from '../../checkpoint-files/safetensors.ts'
import { plainSampling } from '../plain-sampling.ts'
import { aConfig, writeRandomModel } from '../../testing/write-random-model.ts'
import { createEmbeddedEngine, type EmbeddedEngine } from '../embedded/embedded-engine.ts'
import type {
  BaseModel,
  Engine,
  ModelVersion,
  OptimizerSettings,
  SampledToken,
  SamplingSettings,
  TokenSequence,
  TrainingSession,
} from '../engine.ts'
import { startTinkerServer, type TinkerServerOptions } from './testing/tinker-server.ts'
import { createTinkerEngine } from './tinker-engine.ts'

const entry = new URL('model-engine-child.js', inject('builtChildren'))
const never = new AbortController().signal
const adapter = { rank: 4, alpha: 8 }
const base: ModelVersion = { key: 'tiny', baseModel: 'tiny', folder: null }
const optimizer: OptimizerSettings = { learningRate: 1e-2, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.1, clip: 1e9 }

let folder: string
let embedded: EmbeddedEngine
let model: BaseModel

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-tinker-'))
  const learningRates = { rl: 1e-2, sft: 1e-2 }
  model = { id: 'tiny', folder: join(folder, 'tiny'), parameters: 1_000, contextLength: 128, adapter, learningRates }
  writeRandomModel(model.folder, { config: aConfig() })
  embedded = createEmbeddedEngine({ entry, baseModels: [model], memoryBytes: 64 * 2 ** 20, threads: 2 })
})

afterAll(async () => {
  await embedded.close()
  rmSync(folder, { recursive: true })
})

const aFolder = () => mkdtempSync(join(folder, 'files-'))

async function start(options: Partial<TinkerServerOptions> = {}) {
  const server = await startTinkerServer({ engine: embedded, folder, ...options })
  const outgoing = createOutgoing({ allowed: parseAllowedTargets(['127.0.0.1']) })
  const engine = createTinkerEngine({
    outgoing,
    url: server.url,
    apiKey: 'tml-key',
    baseModels: [model, { ...model, id: 'here-alone' }],
    sleep: async () => {},
  })
  onTestFinished(async () => {
    await engine.close()
    await server.close()
  })
  return { server, engine }
}

const open = (engine: Engine, resumeFrom: string | null = null) => engine.openTraining({ from: base, adapter, seed: 1, resumeFrom }, never)

function aSequence(length: number, seed: number): TokenSequence {
  return {
    tokens: Int32Array.from({ length }, (_, at) => (at * at + 7 * at * seed + seed) % 32),
    scored: Uint8Array.from({ length }, (_, at) => (at >= 2 ? 1 : 0)),
  }
}

const coefficientsOf = (batch: readonly TokenSequence[]) =>
  batch.map(({ scored }, s) => Float32Array.from(scored, (mark, t) => (mark === 1 ? Math.sin(s * 10 + t) / 20 : 0)))

/** Two steps, the first in two parts. */
async function trainTwice(session: TrainingSession): Promise<number[]> {
  const norms: number[] = []
  for (const parts of [[[aSequence(9, 1), aSequence(5, 2)], [aSequence(12, 3)]], [[aSequence(7, 4)]]]) {
    for (const batch of parts) {
      await session.forward(batch, never)
      await session.backward(coefficientsOf(batch), never)
    }
    norms.push((await session.step(optimizer, never)).gradientNorm)
  }
  return norms
}

function weightsIn(checkpoint: string): number[] {
  const file = openSafetensors(join(checkpoint, 'adapter_model.safetensors'))
  const values = file.names.toSorted().flatMap((name) => [...file.read(name).data])
  file.close()
  return values
}

const largestDifference = (left: readonly number[], right: readonly number[]) =>
  left.reduce((most, value, at) => Math.max(most, Math.abs(value - right[at]!)), left.length === right.length ? 0 : Infinity)

describe('training through a server', () => {
  test.each([
    ['mean', 'protobuf'],
    ['sum', 'protobuf'],
    ['mean', 'json'],
  ] as const)('gives the same weights as training here, where the server takes the %s and speaks %s', async (addUp, dialect) => {
    const { engine } = await start({ addUp, dialect })
    const here = await open(embedded)
    const there = await open(engine)
    const batch = [aSequence(9, 1), aSequence(1, 1), aSequence(5, 2)]
    const expected = await here.forward(batch, never)
    const found = await there.forward(batch, never)
    for (const [at, values] of found.logProbabilities.entries())
      expect(largestDifference([...values], [...expected.logProbabilities[at]!])).toBeLessThan(1e-5)

    const norms = await trainTwice(here)
    for (const [at, norm] of (await trainTwice(there)).entries()) expect(norm).toBeCloseTo(norms[at]!, 5)
    const [checkpointHere, checkpointThere] = [aFolder(), aFolder()]
    await here.saveCheckpoint(checkpointHere, never)
    await there.saveCheckpoint(checkpointThere, never)
    expect(weightsIn(checkpointHere).some((value) => value !== 0)).toBe(true)
    expect(largestDifference(weightsIn(checkpointThere), weightsIn(checkpointHere))).toBeLessThan(1e-4)
    expect(readdirSync(checkpointThere).toSorted()).toEqual(['adapter_config.json', 'adapter_model.safetensors', 'tinker.json'])
    expect(await engine.health()).toMatchObject({ detail: { dialect } })
    await Promise.all([here.close(), there.close()])
  })

  test('has its gradients clipped by the server', async () => {
    const { engine } = await start()
    const ends = await Promise.all(
      [embedded, engine].map(async (each) => {
        const session = await open(each)
        const norms: number[] = []
        for (const batch of [[aSequence(9, 1)], [aSequence(7, 4), aSequence(12, 3)]]) {
          await session.forward(batch, never)
          await session.backward(coefficientsOf(batch), never)
          norms.push((await session.step({ ...optimizer, clip: 0.01, epsilon: 0.1 }, never)).gradientNorm)
        }
        const checkpoint = aFolder()
        await session.saveCheckpoint(checkpoint, never)
        await session.close()
        return { weights: weightsIn(checkpoint), norms }
      }),
    )
    expect(Math.min(...ends[0]!.norms)).toBeGreaterThan(0.02)
    expect(largestDifference(ends[1]!.weights, ends[0]!.weights)).toBeLessThan(1e-5)
  })

  test('is refused where the server adds losses up in another way', async () => {
    const { engine, server } = await start({ addUp: 'mean of sums' })
    await expect(open(engine)).rejects.toThrow(
      'adds losses up in a way that is not known (the same datum twice: 1.000 times the gradient, half of it: 1.000 times)',
    )
    expect(server.models()).toBe(0)
  })

  test('continues from a saved state, in a fresh model of the server', async () => {
    const { engine } = await start()
    const whole = await open(engine)
    await trainTwice(whole)
    const state = aFolder()
    await whole.saveState(state, never)
    const resumed = await open(engine, state)
    const ends = []
    for (const session of [whole, resumed]) {
      await trainTwice(session)
      const checkpoint = aFolder()
      await session.saveCheckpoint(checkpoint, never)
      ends.push(weightsIn(checkpoint))
      await session.close()
    }
    expect(ends[1]).toEqual(ends[0])
  })

  test('changes nothing with coefficients that are not finite, which are not sent', async () => {
    const { engine, server } = await start()
    const session = await open(engine)
    const batch = [aSequence(6, 1)]
    await session.forward(batch, never)
    await session.backward([new Float32Array(6).fill(Number.NaN)], never)
    const sent = server.requests.length
    expect(await session.step(optimizer, never)).toEqual({ gradientNorm: Number.NaN })
    expect(server.requests).toHaveLength(sent)
    await session.close()
  })

  test('gives its place on the server back, that of the measurement too', async () => {
    const { engine, server } = await start()
    const session = await open(engine)
    expect(server.models()).toBe(1)
    await session.close()
    expect(server.models()).toBe(0)
  })

  test('knows weights of other engines, and trains adapters alone', async () => {
    const { engine } = await start()
    await expect(open(engine, aFolder())).rejects.toThrow('tinker.json does not say where the training server keeps these weights')
    await expect(engine.openTraining({ from: base, adapter: null, seed: 1, resumeFrom: null }, never)).rejects.toThrow(
      'trains adapters alone',
    )
    await expect(engine.openTraining({ from: { ...base, baseModel: 'other' }, adapter, seed: 1, resumeFrom: null }, never)).rejects.toThrow(
      'unknown base model "other"; known are tiny, here-alone',
    )
    await expect(
      engine.openTraining({ from: { ...base, baseModel: 'here-alone' }, adapter, seed: 1, resumeFrom: null }, never),
    ).rejects.toThrow('the training server has no model "here-alone"; it has /models/tiny')
  })
})

async function collect(stream: AsyncIterable<readonly SampledToken[]>): Promise<SampledToken[]> {
  const tokens: SampledToken[] = []
  for await (const some of stream) tokens.push(...some)
  return tokens
}

const ask = (settings: Partial<SamplingSettings> = {}, version = base) => ({
  version,
  prompt: Int32Array.of(1, 2, 3),
  settings: { ...plainSampling, maxTokens: 5, ...settings },
  seeds: [1n, 2n],
})

describe('sampling through a server', () => {
  /** Trains, and leaves a checkpoint. */
  async function train(engine: Engine): Promise<ModelVersion & { folder: string }> {
    const session = await open(engine)
    await trainTwice(session)
    const checkpoint = aFolder()
    await session.saveCheckpoint(checkpoint, never)
    await session.close()
    return { key: `trained-${randomUUID()}/`, baseModel: 'tiny', folder: checkpoint }
  }

  test.each(['protobuf', 'json'] as const)('gives completions as they would be sampled here, of checkpoints too (%s)', async (dialect) => {
    const { engine } = await start({ dialect })
    const trained = await train(engine)
    const byCompletion = (tokens: SampledToken[]) => tokens.toSorted((a, b) => a.completion - b.completion)
    for (const version of [base, trained]) {
      const there = byCompletion(await collect(engine.generate(ask({}, version), never)))
      const here = byCompletion(await collect(embedded.generate(ask({}, { ...version, key: `${version.key}-here` }), never)))
      expect(there.map(({ token }) => token)).toEqual(here.map(({ token }) => token))
      expect(
        largestDifference(
          there.map(({ logProbability }) => logProbability),
          here.map(({ logProbability }) => logProbability),
        ),
      ).toBeLessThan(1e-5)
      expect(there.filter(({ finish }) => finish === 'length')).toHaveLength(2)
    }
  })

  describe('where it samples from loaded models alone', () => {
    const samplesFromLoaded = true

    test('needs no other model for a checkpoint that was just saved', async () => {
      const { engine, server } = await start({ samplesFromLoaded })
      const trained = await train(engine)
      const created = server.requests.filter((path) => path === 'create_model').length
      expect(await collect(engine.generate(ask({}, trained), never))).toHaveLength(10)
      expect(server.requests.filter((path) => path === 'create_model')).toHaveLength(created)
      await engine.unload(trained.key)
      expect(server.models()).toBe(0)
    })

    test('loads a checkpoint again, once for all that sample from it, after the server has dropped its model', async () => {
      const { engine, server } = await start({ samplesFromLoaded })
      const trained = await train(engine)
      const before = await collect(engine.generate(ask({}, trained), never))
      await server.forgetModels()
      const again = await Promise.all([1, 2, 3].map(() => collect(engine.generate(ask({}, trained), never))))
      expect(again).toEqual([before, before, before])
      expect(server.models()).toBe(1)
      await engine.close()
      expect(server.models()).toBe(0)
    })

    test('leaves the only place to the training, and takes it back after it', async () => {
      const { engine, server } = await start({ samplesFromLoaded, places: 1 })
      const trained = await train(engine)
      const training = await open(engine)
      await expect(collect(engine.generate(ask({}, trained), never))).rejects.toThrow('maximum number of models (1) reached')
      await training.close()
      expect(await collect(engine.generate(ask({}, trained), never))).toHaveLength(10)
      expect(server.models()).toBe(1)
    })
  })

  test('asks once for all completions of a prompt', async () => {
    const { engine, server } = await start()
    const parts: string[] = []
    const tokens = await collect(engine.generate({ ...ask(), seeds: [7n, 8n, 9n] }, never, ({ part }) => parts.push(part)))
    // From then on the limits of the requests to the server apply, and not that of a model that loads.
    expect(parts).toEqual(['remote'])
    expect(new Set(tokens.map(({ completion }) => completion))).toEqual(new Set([0, 1, 2]))
    expect(server.requests.filter((path) => path === 'asample')).toHaveLength(1)
    expect(await collect(engine.generate({ ...ask(), seeds: [] }, never))).toEqual([])
  })

  test('says how many completions the server left out', async () => {
    const { engine } = await start({ samples: 1 })
    await expect(collect(engine.generate(ask(), never))).rejects.toThrow('the training server returned 1 of 2 completions')
  })

  test.each([false, true])('scores sequences as here, where the server leaves out the first token: %s', async (skipsFirstToken) => {
    const { engine } = await start({ skipsFirstToken })
    const batch = [aSequence(9, 1), aSequence(5, 2)]
    const expected = await embedded.score(base, batch, never)
    const { logProbabilities } = await engine.score(base, batch, never)
    for (const [at, values] of logProbabilities.entries())
      expect(largestDifference([...values], [...expected.logProbabilities[at]!])).toBeLessThan(1e-5)
  })

  test('refuses alternatives for the tokens of a prompt', async () => {
    const { engine } = await start({})
    const refused = engine.score(base, [{ ...aSequence(9, 1), top: 1 }], never)
    await expect(refused).rejects.toThrow(
      'alternatives for the tokens of a prompt are not reported by the training server; set logprobs to 0',
    )
  })

  test.each<[string, Partial<SamplingSettings>]>([
    ['response_format', { constraint: { kind: 'json-object' } }],
    ['min_p', { minP: 0.1 }],
    ['frequency_penalty', { frequencyPenalty: 1 }],
    ['presence_penalty', { presencePenalty: 1 }],
    ['repetition_penalty', { repetitionPenalty: 1.1 }],
    ['logit_bias', { logitBias: new Map([[1, 1]]) }],
    ['min_tokens', { minTokens: 1 }],
    ['top_logprobs', { topLogProbabilities: 1 }],
  ])('refuses %s, which the protocol has no word for', async (name, settings) => {
    const { engine } = await start()
    await expect(collect(engine.generate(ask(settings), never))).rejects.toThrow(name)
  })
})

describe('a server that fails for a moment', () => {
  let undisturbed: number[]
  beforeAll(async () => {
    const session = await open(embedded)
    undisturbed = await trainTwice(session)
    await session.close()
  })

  test.each([
    ['drops connections', 0],
    ['answers 500', 500],
    ['is asked too often', 429],
    ['has no result yet', 408],
  ])('and %s is asked again, and the work is done once', async (_, status) => {
    const failed = new Set<string>()
    const isRetried = (path: string) => (status === 408 ? path === 'retrieve_future' : !/save_weights|load_weights|unload/.test(path))
    const fault = (path: string) => {
      if (failed.has(path) || !isRetried(path)) return undefined
      failed.add(path)
      return status
    }
    const { engine } = await start({ fault })
    const session = await open(engine)
    for (const [at, norm] of (await trainTwice(session)).entries()) expect(norm).toBeCloseTo(undisturbed[at]!, 5)
    expect(failed).toContain('retrieve_future')
    await session.close()
  })

  test('and for long is reported as unavailable', async () => {
    const { engine, server } = await start({ fault: () => 503 })
    await expect(open(engine)).rejects.toThrow(
      expect.objectContaining({ kind: 'unavailable', message: expect.stringContaining('get_server_capabilities with 503') }),
    )
    expect(server.requests).toHaveLength(6)
    expect(await engine.health()).toMatchObject({ ok: false })
  })

  test('and refuses the key is reported at once', async () => {
    const { engine, server } = await start({ fault: () => 401 })
    await expect(open(engine)).rejects.toThrow('401; check its key')
    expect(server.requests).toHaveLength(1)
  })

  test('and forgot a model fails the training with what it said', async () => {
    const { engine, server } = await start()
    const session = await open(engine)
    await session.close()
    expect(server.models()).toBe(0)
    await expect(session.forward([aSequence(5, 1)], never)).rejects.toThrow('answered forward_backward with 404')
  })

  test('and has no place for another model says so, until one is given back', async () => {
    const { engine, server } = await start({ places: 1 })
    const first = await open(engine)
    await expect(open(engine)).rejects.toThrow(
      expect.objectContaining({ kind: 'unavailable', message: expect.stringContaining('maximum number of models (1) reached') }),
    )
    await first.close()
    await (await open(engine)).close()
    expect(server.models()).toBe(0)
  })

  test('an abort ends the waiting', async () => {
    const controller = new AbortController()
    const { engine } = await start({
      fault: (path) => (path === 'retrieve_future' ? (controller.abort(new Error('cancelled')), 408) : undefined),
    })
    await expect(engine.openTraining({ from: base, adapter, seed: 1, resumeFrom: null }, controller.signal)).rejects.toThrow('cancelled')
  })
})

test('a healthy server says so', async () => {
  const { engine } = await start()
  expect(await engine.health()).toMatchObject({ ok: true })
  expect(await engine.baseModels()).toMatchObject([{ id: 'tiny' }, { id: 'here-alone' }])
})
