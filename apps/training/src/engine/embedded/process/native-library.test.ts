import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { aConfig, writeRandomModel } from '../../../testing/write-random-model.ts'
import type { BaseModel, Engine } from '../../engine.ts'
import { plainSampling } from '../../plain-sampling.ts'
import { createEmbeddedEngine } from '../embedded-engine.ts'
import type { NativeChoice } from '../kernels/native/native-choice.ts'
import { tryNativeLibrary } from './try-native-library.ts'

const never = new AbortController().signal
const entry = new URL('model-engine-child.js', inject('builtChildren'))
const optimizer = { learningRate: 1e-2, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, clip: 1 }
const folder = mkdtempSync(join(tmpdir(), 'heddle-native-'))
const aBase = (format: string): BaseModel => ({
  id: 'wide',
  folder: join(folder, format),
  parameters: 0,
  contextLength: 512,
  adapter: { rank: 8, alpha: 16 },
  learningRates: { rl: 1e-2, sft: 1e-2 },
})

afterAll(() => rmSync(folder, { recursive: true }))

const notOne = join(folder, 'text.so')
writeFileSync(notOne, 'text')
/** Libraries of the system that Node has loaded. */
const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] }
const withoutProducts = sharedObjects.find((path) => /libm\.|libSystem/.test(path)) ?? ''

test.each([
  ['is not there', join(folder, 'none.so'), /^cannot load the library ".*none\.so": Failed to load/],
  ['is no library', notOne, /^cannot load the library ".*text\.so": /],
  ['has no products', withoutProducts, /has no products of matrices in single precision: none of cblas_sgemm/],
])('a library that %s is refused, by its path', async (_, library, problem) => {
  await expect(tryNativeLibrary({ entry, library })).rejects.toThrow(problem)
})

/** What an engine makes of two steps, and of a prompt: files of weights, and log-probabilities of tokens. */
async function results(engine: Engine, adapter: BaseModel['adapter'] | null, into: string) {
  const version = { key: 'wide', baseModel: 'wide', folder: null }
  const session = await engine.openTraining({ from: version, adapter, seed: 1, resumeFrom: null }, never)
  const batch = [120, 90].map((length, sequence) => ({
    tokens: Int32Array.from({ length }, (_, i) => (i * 31 + sequence * 7) % 256),
    scored: Uint8Array.from({ length }, (_, i) => (i > 0 ? 1 : 0)),
  }))
  const forwards = []
  for (let step = 0; step < 2; step++) {
    forwards.push(await session.forward(batch, never))
    await session.backward(
      batch.map(({ tokens }) => new Float32Array(tokens.length).fill(-1e-2)),
      never,
    )
    await session.step(optimizer, never)
  }
  mkdirSync(into)
  await session.saveCheckpoint(into, never)
  await session.close()
  const request = { version, prompt: batch[0]!.tokens, settings: { ...plainSampling, maxTokens: 8 }, seeds: [1n, 2n] }
  const sampled = []
  for await (const tokens of engine.generate(request, never)) sampled.push(...tokens)
  const weights = readFileSync(join(into, adapter ? 'adapter_model.safetensors' : 'model.safetensors'))
  return { forwards, sampled, weights }
}

// The library is a package of 8 MB.
describe.each(inject('long') ? ['scipy-openblas32==0.3.34.481.3'] : [])('with OpenBLAS of the package %s', (name) => {
  const packages = join(folder, 'packages')
  let native: NativeChoice
  beforeAll(async () => {
    execFileSync('python3', ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', packages, name], { timeout: 300_000 })
    native = await tryNativeLibrary({ entry, library: join(packages, 'scipy_openblas32/lib/libscipy_openblas.so') })
    expect(native.version).toMatch(/^OpenBLAS 0\.3\.34\./)
  }, 360_000)

  test.each([
    ['an adapter on BF16', 'BF16', { rank: 8, alpha: 16 }],
    ['every weight', 'F32', null],
  ] as const)('training %s and sampling have the bits that they have without it', async (_, format, adapter) => {
    const base = aBase(format)
    writeRandomModel(base.folder, { config: aConfig({ width: 128, feedForwardWidth: 320, headWidth: 32, vocabularySize: 512 }), format })
    const run = async (options: { native?: NativeChoice; threads: number }) => {
      const engine = createEmbeddedEngine({ entry, baseModels: [base], memoryBytes: 2 ** 27, ...options })
      const result = await results(engine, adapter, join(mkdtempSync(join(folder, 'run-')), 'weights'))
      const { detail } = await engine.health()
      await engine.close()
      return { result, used: detail?.['native'], library: engine.library }
    }
    const without = await run({ threads: 1 })
    for (const threads of [1, 2]) {
      const withIt = await run({ native, threads })
      expect(withIt.used).toEqual({ library: native.library, version: native.version, share: native.share })
      expect(withIt.library).toBe(native.version)
      expect(withIt.result.forwards).toEqual(without.result.forwards)
      expect(withIt.result.sampled).toEqual(without.result.sampled)
      expect(withIt.result.weights.equals(without.result.weights)).toBe(true)
    }
    expect([without.used, without.library]).toEqual([null, null])
  })
})
