import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { aConfig, writeRandomModel } from '../../../testing/write-random-model.ts'
import type { AdapterSettings, TokenSequence } from '../../engine.ts'
import { createEmbeddedEngine, type EmbeddedEngine } from '../embedded-engine.ts'

const folder = mkdtempSync(join(inject('storesFolder'), 'job-memory-'))
const config = aConfig({
  vocabularySize: 4_096,
  width: 512,
  layers: 2,
  heads: 8,
  keyValueHeads: 4,
  headWidth: 64,
  feedForwardWidth: 1_536,
  contextLength: 1_024,
})
const base = { id: 'wide', folder: join(folder, 'wide'), parameters: 1, contextLength: 1_024, learningRates: { rl: 1e-3, sft: 1e-3 } }
beforeAll(() => writeRandomModel(base.folder, { config }))
afterAll(() => rmSync(folder, { recursive: true }))

const entry = new URL('model-engine-child.js', inject('builtChildren'))
const never = new AbortController().signal
const sequence = (length: number): TokenSequence => ({
  tokens: Int32Array.from({ length }, (_, i) => (i * 37) % 4_096),
  scored: Uint8Array.from({ length }, (_, i) => (i > 0 ? 1 : 0)),
})

/** Trains a step and saves the result; returns the most memory that the process of the engine had. */
async function train(engine: EmbeddedEngine, adapter: AdapterSettings | null, batch: readonly TokenSequence[]): Promise<number> {
  const from = { key: 'base', baseModel: 'wide', folder: null }
  const session = await engine.openTraining({ from, adapter, seed: 1, resumeFrom: null }, never)
  await session.forward(batch, never)
  await session.backward(
    batch.map(({ tokens }) => new Float32Array(tokens.length).fill(-0.01)),
    never,
  )
  await session.step({ learningRate: 1e-3, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, clip: 1 }, never)
  for (const what of ['saveCheckpoint', 'saveState'] as const) {
    const target = join(folder, `${what}-${++folders}`)
    await mkdir(target)
    await session[what](target, never)
  }
  const status = readFileSync(`/proc/${engine.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1024
}
let folders = 0

const jobs = [
  ['an adapter, short sequences', { rank: 8, alpha: 16 }, { lengths: [64, 64], threads: 1 }],
  ['an adapter of high rank, long sequences, two threads', { rank: 128, alpha: 16 }, { lengths: [300, 300], threads: 2 }],
  ['an adapter, one sequence that fills half of the context', { rank: 8, alpha: 16 }, { lengths: [512], threads: 1 }],
  ['every weight', null, { lengths: [128], threads: 1 }],
] as const
const slice: readonly string[] = ['an adapter of high rank, long sequences, two threads', 'every weight']

test.each(jobs.filter(([name]) => inject('long') || slice.includes(name)))(
  'is estimated before a job as it turns out to be: %s',
  async (_, adapter, { lengths, threads }) => {
    const engine = createEmbeddedEngine({ entry, baseModels: [{ ...base, adapter }], memoryBytes: 2 ** 30, threads })
    try {
      const batchTokens = lengths.reduce((sum, each) => sum + each, 0)
      const plan = { baseModel: 'wide', adapter, longest: Math.max(...lengths), batchTokens, reference: null }
      const estimate = (await engine.estimateTraining(plan))!
      const measured = await train(engine, adapter, lengths.map(sequence))
      expect(estimate.process / measured).toBeGreaterThan(0.85)
      expect(estimate.process / measured).toBeLessThan(1.25)
    } finally {
      await engine.close()
    }
  },
  120_000,
)

test('what the memory of models needs at least is enough, and less is refused by the engine', async () => {
  const adapter = { rank: 8, alpha: 16 }
  const plan = { baseModel: 'wide', adapter, longest: 100, batchTokens: 100, reference: null }
  const trainIn = async (memoryBytes: number) => {
    const engine = createEmbeddedEngine({ entry, baseModels: [{ ...base, adapter }], memoryBytes, threads: 1 })
    try {
      return [await engine.estimateTraining(plan), await train(engine, adapter, [sequence(100)]).catch((error: unknown) => error)] as const
    } finally {
      await engine.close()
    }
  }
  const { needed } = (await trainIn(2 ** 30))[0]!
  const [there, trained] = await trainIn(needed)
  expect(there).toMatchObject({ needed, limit: needed - (needed % 64) })
  expect(trained).toEqual(expect.any(Number))
  expect((await trainIn(needed * 0.9))[1]).toMatchObject({ name: 'EngineError' })
}, 120_000)

describe('a teacher', () => {
  const teacher = { ...base, id: 'teacher', folder: join(folder, 'teacher'), adapter: null }
  beforeAll(() => writeRandomModel(teacher.folder, { config: { ...config, layers: 4 } }))

  /** Scores a batch with the teacher while the weights of the job are in memory, and trains on it, as a job does. */
  async function distil(engine: EmbeddedEngine, adapter: AdapterSettings | null, baseModel: string, batch: readonly TokenSequence[]) {
    const from = { key: 'base', baseModel: 'wide', folder: null }
    const session = await engine.openTraining({ from, adapter, seed: 1, resumeFrom: null }, never)
    try {
      await engine.score({ key: 'teacher', baseModel, folder: null }, batch, never)
      await session.forward(batch, never)
      await session.backward(
        batch.map(({ tokens }) => new Float32Array(tokens.length).fill(-0.01)),
        never,
      )
      const status = readFileSync(`/proc/${engine.pid}/status`, 'utf8')
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) * 1024
    } finally {
      await session.close()
    }
  }

  const trained: [name: string, adapter: AdapterSettings | null][] = [
    ['an adapter', { rank: 8, alpha: 16 }],
    ['every weight', null],
  ]

  test.each(inject('long') ? trained : trained.slice(0, 1))(
    'of a larger base model is in the estimate: what is needed is enough, and what the job alone needs is not (%s)',
    async (_, adapter) => {
      const plan = { baseModel: 'wide', adapter, longest: 100, batchTokens: 100 }
      const reference = { baseModel: 'teacher', weights: 'base' as const }
      const inMemory = async <T>(memoryBytes: number, work: (engine: EmbeddedEngine) => Promise<T>) => {
        const engine = createEmbeddedEngine({ entry, baseModels: [{ ...base, adapter }, teacher], memoryBytes, threads: 1 })
        return work(engine).finally(() => engine.close())
      }
      const alone = (await inMemory(2 ** 30, (engine) => engine.estimateTraining({ ...plan, reference: null })))!
      const both = (await inMemory(2 ** 30, (engine) => engine.estimateTraining({ ...plan, reference })))!
      const shared = (await inMemory(2 ** 30, (engine) =>
        engine.estimateTraining({ ...plan, reference: { ...reference, baseModel: 'wide' } }),
      ))!
      expect(both.weights).toBeGreaterThan(alone.weights)
      expect(shared.weights).toBe(alone.weights)
      const measured = await inMemory(2 ** 30, (engine) => distil(engine, adapter, 'teacher', [sequence(100)]))
      // Buffers of both models' files may not have been collected yet.
      expect(both.process / measured).toBeGreaterThan(0.8)
      expect(both.process / measured).toBeLessThan(1.25)
      expect(await inMemory(both.needed, (engine) => distil(engine, adapter, 'teacher', [sequence(100)]))).toEqual(expect.any(Number))
      await expect(inMemory(alone.needed, (engine) => distil(engine, adapter, 'teacher', [sequence(100)]))).rejects.toMatchObject({
        name: 'EngineError',
      })
    },
    120_000,
  )
})
