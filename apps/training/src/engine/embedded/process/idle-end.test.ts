import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import '@heddle/testing'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { aConfig, writeRandomModel } from '../../../testing/write-random-model.ts'
import type { ModelVersion, TokenSequence, TrainingSession } from '../../engine.ts'
import { plainSampling } from '../../plain-sampling.ts'
import { createEmbeddedEngine, type EmbeddedEngine } from '../embedded-engine.ts'
import type { IdleLimits } from './idle-end.ts'

const entry = new URL('model-engine-child.js', inject('builtChildren'))
const never = new AbortController().signal
const base: ModelVersion = { key: 'tiny', baseModel: 'tiny', folder: null }
const batch: TokenSequence[] = [{ tokens: Int32Array.of(1, 2, 3, 4), scored: Uint8Array.of(0, 1, 1, 1) }]
/** Longer than any test. */
const long = 3_600_000

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-idle-'))
  writeRandomModel(join(folder, 'tiny'), { config: aConfig() })
})
afterAll(() => rmSync(folder, { recursive: true }))

function start(idle: Partial<IdleLimits>) {
  const restarts: string[] = []
  const engine = createEmbeddedEngine({
    entry,
    baseModels: [
      {
        id: 'tiny',
        folder: join(folder, 'tiny'),
        parameters: 1_000,
        contextLength: 128,
        adapter: { rank: 4, alpha: 8 },
        learningRates: { rl: 1e-2, sft: 1e-2 },
      },
    ],
    memoryBytes: 64 * 2 ** 20,
    threads: 1,
    idle: { idleMs: long, spareMs: long, ...idle },
    onRestart: ({ reason }) => restarts.push(reason),
  })
  onTestFinished(() => engine.close())
  return { engine, restarts }
}

async function sample(engine: EmbeddedEngine): Promise<number[]> {
  const tokens: number[] = []
  const request = { version: base, prompt: Int32Array.of(1, 2, 3), settings: plainSampling, seeds: [1n] }
  for await (const some of engine.generate(request, never)) tokens.push(...some.map(({ token }) => token))
  return tokens
}

const open = (engine: EmbeddedEngine): Promise<TrainingSession> =>
  engine.openTraining({ from: base, adapter: { rank: 4, alpha: 8 }, seed: 1, resumeFrom: null }, never)

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a process without work ends, and the next request is served by another with the same answer', async () => {
  const { engine, restarts } = start({ idleMs: 0 })
  const answer = await sample(engine)
  expect(answer).toHaveLength(20)
  await expect.poll(() => engine.pid).toBeUndefined()
  expect(await engine.health()).toEqual({ ok: true, detail: { started: false } })
  expect(await sample(engine)).toEqual(answer)
  expect(restarts).toEqual([])
})

test('requests that come one after another, each as the process ends, are all served', async () => {
  const { engine, restarts } = start({ idleMs: 0 })
  const answer = await sample(engine)
  for (let pause = 0; pause < 5; pause++) {
    await new Promise((resolve) => setTimeout(resolve, pause))
    expect(await sample(engine)).toEqual(answer)
  }
  expect(restarts).toEqual([])
})

test('a process ends when training has left much memory unused, and its memory is given back', async () => {
  const { engine, restarts } = start({ spareMs: 0, spareBytes: 0 })
  const session = await open(engine)
  const pid = engine.pid!
  await session.forward(batch, never)
  await sample(engine)
  expect(engine.pid).toBe(pid)
  await session.close()
  await expect.poll(() => engine.pid).toBeUndefined()
  await expect.poll(() => isAlive(pid)).toBe(false)
  await sample(engine)
  expect(engine.pid).not.toBe(pid)
  expect(restarts).toEqual([])
})

test('a process whose training left little unused continues, and so does one that trains, however long it waits for its next step', async () => {
  const { engine } = start({ spareMs: 0 })
  const kept = await open(engine)
  const pid = engine.pid!
  await kept.close()
  await sample(engine)
  expect(engine.pid).toBe(pid)

  const waiting = start({ idleMs: 0 }).engine
  const session = await open(waiting)
  await sample(waiting)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await session.forward(batch, never)).toMatchObject({ logProbabilities: [expect.any(Float32Array)] })
  await session.close()
  await expect.poll(() => waiting.pid).toBeUndefined()
})

test('to ask how the engine is, or to unload, keeps no process and starts none', async () => {
  const { engine } = start({ idleMs: 0 })
  await engine.unload('tiny')
  expect(engine.pid).toBeUndefined()
  await sample(engine)
  await expect
    .poll(async () => {
      await engine.health()
      return engine.pid
    })
    .toBeUndefined()
})

test('a training that cannot be opened keeps no process', async () => {
  const { engine } = start({ idleMs: 0 })
  const unknown = engine.openTraining({ from: { ...base, baseModel: 'none' }, adapter: null, seed: 1, resumeFrom: null }, never)
  await expect(unknown).rejects.toMatchObject({ kind: 'unknown-model' })
  await expect.poll(() => engine.pid).toBeUndefined()
})
