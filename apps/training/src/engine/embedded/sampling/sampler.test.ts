import { describe, expect, test } from 'vitest'
import { EngineError, type SamplingSettings } from '../../engine.ts'
import { aConfig } from '../../../testing/write-random-model.ts'
import { KernelMemory } from '../kernels/kernel-memory.ts'
import { initialiseAdapter, initialiseModel } from '../model/initialise.ts'
import { allocateAdapter, allocateModel } from '../model/model-weights.ts'
import { createTrainedModel } from '../training/trained-model.ts'
import { Trainer } from '../training/trainer.ts'
import { finish } from '../work.ts'
import { plainSampling } from '../../plain-sampling.ts'
import type { CompletionConstraint } from './completion-constraint.ts'
import { createSoloTeam } from './decode-team.ts'
import { Sampler } from './sampler.ts'

const memory = new KernelMemory(64 * 1024 * 1024, 'plain')

function aModel() {
  const { model } = allocateModel(memory, aConfig())
  initialiseModel(memory, model, 1n)
  for (const layer of model.layers)
    for (const { weight } of Object.values(layer.linears)) memory.kernels.scale(weight.address, weight.length, 2)
  return model
}

/** Tokens and log-probabilities of completions that are sampled together. */
function sampleAll(
  sampler: Sampler,
  prompts: readonly { prompt: readonly number[]; seed: bigint; settings?: Partial<SamplingSettings> }[],
) {
  const completions = prompts.map(({ prompt, seed, settings }) =>
    sampler.add({ prompt: Int32Array.from(prompt), settings: { ...plainSampling, ...settings }, seed, constraint: null }),
  )
  const results = completions.map(() => ({ tokens: [] as number[], logProbabilities: [] as number[] }))
  while (!sampler.isIdle) {
    for (const sampled of sampler.step()) {
      if ('error' in sampled) throw sampled.error
      const result = results[completions.indexOf(sampled.completion)]!
      result.tokens.push(sampled.token.token)
      result.logProbabilities.push(sampled.token.logProbability)
    }
  }
  return results
}

test('sampled log-probabilities are those of the trainer', () => {
  const base = aModel()
  const { model } = allocateAdapter(memory, base, { rank: 4, alpha: 8 })
  finish(initialiseAdapter(memory, model, 2n))
  const sampler = new Sampler(memory, model, createSoloTeam(memory))
  const prompts = [[1, 2, 3], Array.from({ length: 40 }, (_, i) => i % 32)]
  const results = sampleAll(
    sampler,
    prompts.map((prompt, i) => ({ prompt, seed: BigInt(i) })),
  )
  const trainer = new Trainer(memory, createTrainedModel(memory, { base: model, adapter: { rank: 4, alpha: 8 }, seed: 0n }))
  const batch = prompts.map((prompt, i) => {
    const tokens = Int32Array.from([...prompt, ...results[i]!.tokens])
    return { tokens, scored: Uint8Array.from(tokens, (_, at) => (at >= prompt.length ? 1 : 0)) }
  })
  const { logProbabilities } = finish(trainer.forward(batch))
  for (const [i, { logProbabilities: sampled }] of results.entries()) {
    const scored = logProbabilities[i]!.subarray(prompts[i]!.length)
    expect(sampled.length).toBe(20)
    expect(Math.max(...sampled.map((value, at) => Math.abs(value - scored[at]!)))).toBeLessThan(1e-4)
  }
})

test('a completion depends on its seed and its request, not on what else is sampled', () => {
  const sampler = new Sampler(memory, aModel(), createSoloTeam(memory))
  const request = { prompt: Array.from({ length: 30 }, (_, i) => (7 * i) % 32), seed: 99n }
  const [alone] = sampleAll(sampler, [request])
  const others = Array.from({ length: 9 }, (_, i) => ({ prompt: Array.from({ length: 5 * i + 1 }, () => i), seed: BigInt(i) }))
  const together = sampleAll(sampler, [...others, request, ...others])
  expect(together[others.length]).toEqual(alone)
  expect(sampleAll(sampler, [{ ...request, seed: 98n }])[0]!.tokens).not.toEqual(alone!.tokens)
})

test('what was in memory before has no effect on sampling', () => {
  const model = aModel()
  const request = { prompt: Array.from({ length: 21 }, (_, i) => i), seed: 4n }
  const clean = sampleAll(new Sampler(memory, model, createSoloTeam(memory)), [request])
  const block = memory.allocate(4 * 1024 * 1024)
  memory.floats(block, 1024 * 1024).fill(Number.NaN)
  memory.free(block)
  expect(sampleAll(new Sampler(memory, model, createSoloTeam(memory)), [request])).toEqual(clean)
})

test('a completion that takes over the prompt from another is the same to the bit', () => {
  const sampler = new Sampler(memory, aModel(), createSoloTeam(memory))
  const prompt = Array.from({ length: 50 }, (_, i) => (5 * i) % 32)
  const request = (seed: bigint) => ({ prompt: Int32Array.from(prompt), settings: plainSampling, seed, constraint: null })
  const first = sampler.add(request(1n))
  sampler.step()
  const second = sampler.add(request(2n), first)
  expect(second.cached).toBe(49)
  const tokens: number[] = []
  while (!sampler.isIdle) {
    for (const sampled of sampler.step()) if (sampled.completion === second && 'token' in sampled) tokens.push(sampled.token.token)
  }
  expect(tokens).toEqual(sampleAll(sampler, [{ prompt, seed: 2n }])[0]!.tokens)
})

test('a completion whose constraint nothing can continue fails alone', () => {
  const sampler = new Sampler(memory, aModel(), createSoloTeam(memory))
  const readAllowed = () => {
    throw new EngineError('unsupported', 'nothing may follow')
  }
  const stuck: CompletionConstraint = { isReady: true, mustEnd: false, readAllowed, accept: () => undefined, close: () => undefined }
  const request = { prompt: Int32Array.of(1), settings: plainSampling, seed: 1n }
  const failing = sampler.add({ ...request, constraint: stuck })
  const other = sampler.add({ ...request, constraint: null })
  const [first, second] = sampler.step()
  expect(first).toMatchObject({ completion: failing, error: { kind: 'unsupported' } })
  expect(second).toMatchObject({ completion: other, token: { finish: null } })
  expect(sampler.activeCount).toBe(1)
})

test('a completion that waits for its constraint delays no other, and is the same to the bit as one that never waits', () => {
  const model = aModel()
  const request = { prompt: Int32Array.from({ length: 20 }, (_, i) => i), settings: { ...plainSampling, maxTokens: 10 }, seed: 3n }
  const sample = (stepsToWait: number) => {
    const sampler = new Sampler(memory, model, createSoloTeam(memory))
    const constraint = new DelayedConstraint(stepsToWait)
    const constrained = sampler.add({ ...request, constraint })
    const free = sampler.add({ ...request, seed: 4n, constraint: null })
    const tokens = new Map([constrained, free].map((completion) => [completion, [] as unknown[]]))
    const atEndOfFree: number[] = []
    while (!sampler.isIdle) {
      if (sampler.canStep) {
        for (const sampled of sampler.step()) {
          if ('error' in sampled) throw sampled.error
          tokens.get(sampled.completion)!.push(sampled.token)
          if (sampled.completion === free && sampled.token.finish) atEndOfFree.push(tokens.get(constrained)!.length)
        }
      }
      constraint.pass()
    }
    expect(constraint.isClosed).toBe(true)
    return { tokens: [...tokens.values()], atEndOfFree }
  }
  const [prompt, slow] = [sample(0), sample(5)]
  expect(prompt.tokens.map(({ length }) => length)).toEqual([10, 10])
  expect(slow.tokens).toEqual(prompt.tokens)
  expect(slow.atEndOfFree[0]).toBeLessThan(5)
})

test('without stop tokens the last token says that nothing follows, once the constraint knows it', () => {
  const sampler = new Sampler(memory, aModel(), createSoloTeam(memory))
  const constraint = new DelayedConstraint(2, 3)
  sampler.add({ prompt: Int32Array.of(1), settings: { ...plainSampling, maxTokens: 10, stopTokens: [] }, seed: 3n, constraint })
  const finishes: unknown[] = []
  while (!sampler.isIdle) {
    if (sampler.canStep) for (const sampled of sampler.step()) finishes.push('token' in sampled && sampled.token.finish)
    constraint.pass()
  }
  expect(finishes).toEqual([null, null, 'stop'])
})

/** Allows every second token, once so many steps have passed, and so many tokens. */
class DelayedConstraint implements CompletionConstraint {
  isClosed = false
  private readonly steps: number
  private readonly tokens: number
  private left: number
  private accepted = 0

  constructor(steps: number, tokens = Infinity) {
    this.steps = steps
    this.left = steps
    this.tokens = tokens
  }

  get isReady() {
    return this.left === 0
  }

  get mustEnd() {
    return this.accepted >= this.tokens
  }

  pass(): void {
    if (this.left > 0) this.left--
  }

  readAllowed(): Uint8Array {
    expect(this.isReady).toBe(true)
    return Uint8Array.from({ length: 32 }, (_, token) => token % 2)
  }

  accept(token: number): void {
    expect(token % 2).toBe(1)
    this.accepted++
    this.left = this.steps
  }

  close(): void {
    this.isClosed = true
  }
}

describe('a prompt that begins as a completion that ended', () => {
  const conversation = Array.from({ length: 40 }, (_, i) => (5 * i) % 32)
  const request = (prompt: readonly number[], seed: bigint) => ({
    prompt: Int32Array.from(prompt),
    settings: plainSampling,
    seed,
    constraint: null,
  })

  test('takes over what was computed, and is sampled to the bit as without', () => {
    const model = aModel()
    const sampler = new Sampler(memory, model, createSoloTeam(memory), { keepsPrefixes: true })
    const [first] = sampleAll(sampler, [{ prompt: conversation, seed: 1n }])
    const next = [...conversation, ...first!.tokens, 3, 1, 4]
    const completion = sampler.add(request(next, 2n))
    // The last token that was sampled was never run through the model.
    expect(completion.cached).toBe(conversation.length + first!.tokens.length - 1)
    sampler.remove(completion)
    const [again] = sampleAll(sampler, [{ prompt: next, seed: 2n }])
    const [without] = sampleAll(new Sampler(memory, model, createSoloTeam(memory)), [{ prompt: next, seed: 2n }])
    expect(again).toEqual(without)
  })

  test('takes over only the tokens that are the same, at most all but its last', () => {
    const sampler = new Sampler(memory, aModel(), createSoloTeam(memory), { keepsPrefixes: true })
    sampleAll(sampler, [{ prompt: conversation, seed: 1n }])
    const cachedOf = (prompt: readonly number[]) => {
      const completion = sampler.add(request(prompt, 1n))
      sampler.remove(completion)
      return completion.cached
    }
    expect(cachedOf(conversation)).toBe(conversation.length - 1)
    expect(cachedOf([...conversation.slice(0, 20), 31, ...conversation.slice(21)])).toBe(20)
    expect(cachedOf([31, ...conversation.slice(1)])).toBe(0)
  })

  test('has nothing to take over where prefixes are not kept, or after they were freed', () => {
    for (const keepsPrefixes of [false, true]) {
      const sampler = new Sampler(memory, aModel(), createSoloTeam(memory), { keepsPrefixes })
      const used = memory.usedBytes
      sampleAll(sampler, [{ prompt: conversation, seed: 1n }])
      expect(sampler.freePrefixes()).toBe(keepsPrefixes)
      expect(sampler.freePrefixes()).toBe(false)
      expect(memory.usedBytes).toBe(used)
      expect(sampler.add(request(conversation, 1n)).cached).toBe(0)
      sampler.close()
    }
  })

  test('makes room for later ones: those of long ago are freed first', () => {
    const model = aModel()
    const sampler = new Sampler(memory, model, createSoloTeam(memory), { keepsPrefixes: true })
    const prompts = Array.from({ length: 70 }, (_, first) => [first % 32, Math.floor(first / 32), ...conversation])
    for (const prompt of prompts) sampleAll(sampler, [{ prompt, seed: 1n, settings: { maxTokens: 1 } }])
    expect(sampler.add(request(prompts[0]!, 1n)).cached).toBe(0)
    expect(sampler.add(request(prompts[69]!, 1n)).cached).toBe(prompts[69]!.length - 1)
    sampler.close()
  })
})
