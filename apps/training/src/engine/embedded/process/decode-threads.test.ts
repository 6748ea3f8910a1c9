import { expect, test, vi } from 'vitest'
import { aConfig } from '../../../testing/write-random-model.ts'
import { plainSampling } from '../../plain-sampling.ts'
import { KernelMemory } from '../kernels/kernel-memory.ts'
import { initialiseModel } from '../model/initialise.ts'
import { allocateModel } from '../model/model-weights.ts'
import { createSoloTeam, type DecodeTeam } from '../sampling/decode-team.ts'
import { Sampler } from '../sampling/sampler.ts'
import { createDecodeThreads } from './decode-threads.ts'

const memory = new KernelMemory(128 * 1024 * 1024, 'plain')
/** So large that four rows are worth a thread. */
const config = aConfig({ width: 128, headWidth: 32, feedForwardWidth: 256, layers: 4 })

function aModel(seed: bigint) {
  const { model } = allocateModel(memory, config)
  initialiseModel(memory, model, seed)
  return model
}

/** Counts the parts of each step. */
function counting(team: DecodeTeam) {
  const parts: number[] = []
  return {
    parts,
    team: {
      ...team,
      size: team.size,
      decode: (...args: Parameters<DecodeTeam['decode']>) => (parts.push(args[1].length), team.decode(...args)),
    },
  }
}

function sampleAll(sampler: Sampler, prompts: readonly number[][]) {
  const settings = { ...plainSampling, maxTokens: 8 }
  const completions = prompts.map((prompt, index) =>
    sampler.add({ prompt: Int32Array.from(prompt), settings, seed: BigInt(index), constraint: null }),
  )
  const results = new Map(completions.map((completion) => [completion, [] as unknown[]]))
  while (!sampler.isIdle) {
    for (const sampled of sampler.step()) if ('token' in sampled) results.get(sampled.completion)!.push(sampled.token)
  }
  return [...results.values()]
}

const aPrompt = (length: number, step: number) => Array.from({ length }, (_, i) => (step * i) % 32)

test('what is sampled by several threads is the same to the bit, also where one prompt is divided between them', async () => {
  const team = createDecodeThreads(memory, 3)
  await vi.waitFor(() => expect(team.size).toBe(4), { timeout: 60_000, interval: 50 })
  for (const seed of [1n, 2n]) {
    const model = aModel(seed)
    for (const prompts of [
      [aPrompt(100, 7)],
      [aPrompt(40, 3), aPrompt(90, 5), aPrompt(1, 1)],
      Array.from({ length: 20 }, (_, i) => aPrompt(i + 1, i)),
    ]) {
      const divided = counting(team)
      const together = sampleAll(new Sampler(memory, model, divided.team), prompts)
      expect(together).toEqual(sampleAll(new Sampler(memory, model, createSoloTeam(memory)), prompts))
      expect(Math.max(...divided.parts)).toBe(4)
    }
    team.forget(model)
  }
})
