import type { AdapterSettings, Engine, ModelVersion, TokenSequence } from '@heddle/training'
import { plainSampling } from '@heddle/training/testing'
import { type Clock, wallClock } from './clock.ts'
import type { Preset } from './presets.ts'

const never = new AbortController().signal
const optimizer = { learningRate: 1e-3, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, clip: 1 }

const prompt = Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8)

export function versionOf({ name }: Preset): ModelVersion {
  return { key: name, baseModel: name, folder: null }
}

function batchOf({ sequences, length }: Preset): TokenSequence[] {
  return Array.from({ length: sequences }, (_, sequence) => ({
    tokens: Int32Array.from({ length }, (_, i) => (i * 31 + sequence * 7) % 256),
    scored: Uint8Array.from({ length }, (_, i) => (i > 0 ? 1 : 0)),
  }))
}

async function openSteps(engine: Engine, preset: Preset, adapter: AdapterSettings | null) {
  const session = await engine.openTraining({ from: versionOf(preset), adapter, seed: 1, resumeFrom: null }, never)
  const batch = batchOf(preset)
  const coefficients = batch.map(({ tokens }) => new Float32Array(tokens.length).fill(-1 / (preset.sequences * preset.length)))
  const step = async () => {
    await session.forward(batch, never)
    await session.backward(coefficients, never)
    await session.step(optimizer, never)
  }
  return { step, close: () => session.close() }
}

/** An engine and what its speed is measured by. */
export interface Measured {
  engine: Engine
  clock: Clock
}

/** Tokens a second of forward, backward and step, in the fastest of several rounds: what others do on the machine only slows it. */
export async function measureTraining(
  { engine, clock }: Measured,
  preset: Preset,
  use: { adapter: AdapterSettings | null; rounds: number },
): Promise<number> {
  const { step, close } = await openSteps(engine, preset, use.adapter)
  await step()
  let fastest = Infinity
  for (let round = 0; round < use.rounds; round++) {
    const since = clock()
    await step()
    fastest = Math.min(fastest, clock() - since)
  }
  await close()
  return (preset.sequences * preset.length * 1_000) / fastest
}

async function sample(
  { engine, clock }: Measured,
  preset: Preset,
  use: { streams: number; maxTokens: number; prompt?: Int32Array },
): Promise<{ tokens: number; firstMs: number; totalMs: number }> {
  const since = clock()
  const seeds = Array.from({ length: use.streams }, (_, i) => BigInt(i))
  const settings = { ...plainSampling, maxTokens: use.maxTokens }
  let tokens = 0
  let firstMs = 0
  for await (const some of engine.generate({ version: versionOf(preset), prompt: use.prompt ?? prompt, settings, seeds }, never)) {
    if (tokens === 0) firstMs = clock() - since
    tokens += some.length
  }
  return { tokens, firstMs, totalMs: clock() - since }
}

/** The likeliest tokens after the prompt. */
export async function likeliestTokens(engine: Engine, preset: Preset, count: number): Promise<number[]> {
  const settings = { ...plainSampling, temperature: 0, maxTokens: count }
  const tokens: number[] = []
  for await (const some of engine.generate({ version: versionOf(preset), prompt, settings, seeds: [1n] }, never))
    tokens.push(...some.map(({ token }) => token))
  return tokens
}

/** Tokens a second of a prompt, up to the first token after it, in the fastest of several rounds. */
export async function measureReading(measured: Measured, preset: Preset, rounds: number): Promise<number> {
  const long = Int32Array.from({ length: preset.prompt }, (_, i) => (i * 31) % 256)
  let best = 0
  for (let round = 0; round <= rounds; round++) {
    const { firstMs } = await sample(measured, preset, { streams: 1, maxTokens: 1, prompt: long })
    best = Math.max(best, (preset.prompt * 1_000) / firstMs)
  }
  return best
}

/** Tokens a second of completions that are sampled together, in the fastest of several rounds. */
export async function measureSampling(measured: Measured, preset: Preset, use: { streams: number; rounds: number }): Promise<number> {
  let best = 0
  for (let round = 0; round <= use.rounds; round++) {
    const { tokens, totalMs } = await sample(measured, preset, { streams: use.streams, maxTokens: preset.sampled })
    best = Math.max(best, (tokens * 1_000) / totalMs)
  }
  return best
}

/** Milliseconds to the first token of each of several requests while training runs. */
export async function measureFirstTokens(
  engine: Engine,
  preset: Preset,
  { adapter, requests }: { adapter: AdapterSettings | null; requests: number },
): Promise<number[]> {
  const { step, close } = await openSteps(engine, preset, adapter)
  let isDone = false
  const training = (async () => {
    while (!isDone) await step()
  })()
  const latencies: number[] = []
  for (let request = 0; request < requests; request++) {
    const { firstMs } = await sample({ engine, clock: wallClock }, preset, { streams: 1, maxTokens: 20 })
    latencies.push(firstMs)
  }
  isDone = true
  await training
  await close()
  return latencies
}
