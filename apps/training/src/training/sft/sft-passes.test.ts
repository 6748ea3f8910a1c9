import { describe, expect, test } from 'vitest'
import { createTestTokenizer } from '../../sequences/testing/test-tokenizer.ts'
import { createTable, TableSession } from '../testing/table-policy.ts'
import { aTableModel, never, recordHooks } from '../testing/table-rollouts.ts'
import { planEpochs } from './plan-epochs.ts'
import { prepareSft } from './prepare-sft.ts'
import type { SftExample } from './sft-batches.ts'
import { checkSftConfig, type SftConfig } from './sft-config.ts'
import { trainSft, type TrainSftOptions } from './train-sft.ts'

const tokenizer = createTestTokenizer()
const says = (answer: string) =>
  JSON.stringify({
    messages: [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: answer },
    ],
  })

const plan = async (answers: readonly string[], config: SftConfig, seed = 1) =>
  planEpochs(await prepareSft({ lines: answers.map(says), config, model: aTableModel, tokenizer, signal: never }), seed)

const answerOf = ({ learnedTexts }: SftExample) => learnedTexts.join('').replace('</>', '')
const answersOf = (examples: readonly SftExample[]) => examples.map(answerOf).join('')
const newSession = () => new TableSession(createTable(131))
const letters = (text: string) => [...text]

describe('passes over the data', () => {
  test('repeat the batches, in the order of the lines or in one of their own that follows from a seed', async () => {
    const orders = async (config: SftConfig, seed?: number) =>
      (await plan(letters('abcde'), { batch_size: 2, ...config }, seed)).batches.map(({ sequences }) => answersOf(sequences))
    expect(await orders({ epochs: 2 })).toEqual(['ab', 'cd', 'e', 'ab', 'cd', 'e'])
    const shuffled = await orders({ epochs: 2, shuffle: true })
    expect(await orders({ epochs: 2, shuffle: true })).toEqual(shuffled)
    expect(await orders({ epochs: 2, shuffle: true }, 7)).not.toEqual(shuffled)
    const passes = [shuffled.slice(0, 3), shuffled.slice(3)].map((pass) => pass.join(''))
    expect(passes.map((pass) => letters(pass).toSorted().join(''))).toEqual(['abcde', 'abcde'])
    expect(passes[0]).not.toBe(passes[1])
  })

  test.each([
    ['constant', 0, [1, 1, 1, 1]],
    ['linear', 0, [1, 0.75, 0.5, 0.25]],
    ['cosine', 0, [1, 0.8536, 0.5, 0.1464]],
    ['linear', 0.5, [1 / 3, 2 / 3, 1, 0.5]],
  ] as const)('follow a %s schedule with a warmup of %d', async (schedule, warmup, shares) => {
    const { batches } = await plan(letters('ab'), { batch_size: 1, epochs: 2, learning_rate: 0.1, schedule, warmup })
    for (const [at, { learningRate }] of batches.entries()) expect(learningRate).toBeCloseTo(0.1 * shares[at]!, 5)
  })

  test('fill steps by tokens where a length is given, and no conversation is cut', async () => {
    const one = (await plan(['a'], {})).batches[0]!.sequences[0]!.tokens.length
    const config = { packed_sequence_length: 2 * one + 1 }
    const { batches, resolvedConfig } = await plan(['a', 'b', 'c', 'd'.repeat(30), 'e'], config)
    expect(batches.map(({ sequences }) => answersOf(sequences))).toEqual(['ab', 'c', 'd'.repeat(30), 'e'])
    expect(batches[0]!.share).toBe(1)
    expect(resolvedConfig).toMatchObject(config)
    expect(resolvedConfig).not.toHaveProperty('batch_size')
  })
})

describe('conversations that are held out', () => {
  test('are spread over the lines, and are not learned', async () => {
    const { batches, heldOut, metrics } = await plan(letters('abcdefghij'), { held_out: 0.2, batch_size: 10 })
    expect(answersOf(heldOut)).toBe('ch')
    expect(batches.map(({ sequences }) => answersOf(sequences))).toEqual(['abdefgij'])
    expect(metrics).toEqual({ num_trajectories: 8, num_dropped_trajectories: 0, num_held_out_trajectories: 2 })
    const { heldOut: none, notes } = await plan(['a'], { held_out: 0.2 })
    expect(none).toEqual([])
    expect(notes).toContain('held_out: with fewer than two conversations none was held out')
  })

  test('are the last held_out_rows conversations of the file where that is set', async () => {
    const { batches, heldOut, metrics, resolvedConfig } = await plan(letters('abcde'), { held_out_rows: 2, batch_size: 10, epochs: 2 })
    expect(batches.map(({ sequences }) => answersOf(sequences))).toEqual(['abc', 'abc'])
    expect(answersOf(heldOut)).toBe('de')
    expect(metrics).toEqual({ num_trajectories: 3, num_dropped_trajectories: 0, num_held_out_trajectories: 2 })
    expect(resolvedConfig).toMatchObject({ held_out_rows: 2 })
    const { notes } = await plan(['a', 'x'.repeat(aTableModel.contextLength)], { held_out_rows: 1 })
    expect(notes).toContainEqual(expect.stringContaining('none was held out'))
    await expect(plan(letters('ab'), { held_out_rows: 2 })).rejects.toThrow('held_out_rows 2 leaves nothing to learn of 2')
    expect(() => checkSftConfig({ held_out_rows: 2, held_out: 0.1 })).toThrow('held_out and held_out_rows')
    expect(() => checkSftConfig({ held_out_rows: 2, learning_rate: [1, 2] })).toThrow('cannot go with held_out_rows')
    expect(() => checkSftConfig({ held_out_rows: 2, early_stop: 1 })).not.toThrow()
  })

  test('have their loss measured before the first step and after each pass, and the last one is that of the checkpoint', async () => {
    const { hooks, steps } = recordHooks()
    const prepared = await plan(letters('aaaaaaaaaa'), { held_out: 0.2, batch_size: 4, epochs: 2, learning_rate: 0.5 })
    const outcome = await trainSft({ prepared, session: newSession(), position: null, signal: never, hooks })
    expect(steps.map(({ metrics }) => metrics['epoch'])).toEqual([1, 1, 2, 2])
    const measured = steps.map(({ metrics }) => [metrics['held_out_loss_before'], metrics['held_out_loss']])
    expect(measured.map((values) => values.map((value) => typeof value))).toEqual([
      ['number', 'undefined'],
      ['undefined', 'number'],
      ['undefined', 'undefined'],
      ['undefined', 'number'],
    ])
    const [before, first, last] = [measured[0]![0]!, measured[1]![1]!, measured[3]![1]!]
    expect(before).toBeCloseTo(Math.log(131), 5)
    expect(first).toBeLessThan(before)
    expect(last).toBeLessThan(first)
    expect(outcome.metrics).toMatchObject({ held_out_loss_before: before, held_out_loss: last })
  })

  test('end the job early when their loss no longer falls', async () => {
    // The held-out conversation says the opposite of the others.
    const prepared = await plan(letters('aaaaazaaaa'), { held_out: 0.1, batch_size: 9, epochs: 50, early_stop: 3, learning_rate: 0.5 })
    expect(answersOf(prepared.heldOut)).toBe('z')
    const { hooks, steps } = recordHooks()
    const outcome = await trainSft({ prepared, session: newSession(), position: null, signal: never, hooks })
    const losses = steps.map(({ metrics }) => metrics['held_out_loss']!)
    const best = losses.indexOf(Math.min(steps[0]!.metrics['held_out_loss_before']!, ...losses))
    expect(outcome.steps).toBe(steps.length)
    expect(steps.length).toBe(best + 1 + 3)
    expect(steps[0]!.total).toBe(50)
  })

  test('with an early end the pass with the lowest loss is the result, and its loss that of the checkpoint', async () => {
    // Too high a rate: the loss falls, and rises again.
    const answers = ['ab', 'ac', 'ad', 'ae', 'az', 'af', 'ag', 'ah', 'ai', 'aj']
    const prepared = await plan(answers, { held_out: 0.1, batch_size: 9, epochs: 30, early_stop: 3, learning_rate: 0.3 })
    const session = newSession()
    const { hooks, steps } = recordHooks()
    let kept: number[] = []
    const keepBest = async () => void (kept = [...session.table.logits])
    const outcome = await trainSft({ prepared, session, position: null, signal: never, hooks: { ...hooks, keepBest } })
    const losses = steps.map(({ metrics }) => metrics['held_out_loss']!)
    const lowest = Math.min(...losses)
    expect(lowest).toBeLessThan(losses.at(-1)!)
    expect(outcome).toMatchObject({ isBestKept: true, metrics: { held_out_loss: lowest } })
    // What was kept is what the same job has after so many passes.
    const shorter = newSession()
    await trainSft({
      prepared: { ...prepared, batches: prepared.batches.slice(0, losses.indexOf(lowest) + 1) },
      session: shorter,
      position: null,
      signal: never,
      hooks: recordHooks().hooks,
    })
    expect(kept).toEqual([...shorter.table.logits])
  })

  test('without an early end the last pass is the result', async () => {
    const prepared = await plan(letters('aaaaazaaaa'), { held_out: 0.1, batch_size: 9, epochs: 5, learning_rate: 0.5 })
    const { hooks, steps } = recordHooks()
    const outcome = await trainSft({ prepared, session: newSession(), position: null, signal: never, hooks })
    expect(outcome).toMatchObject({ isBestKept: false, metrics: { held_out_loss: steps.at(-1)!.metrics['held_out_loss'] } })
  })
})

test('a job of several passes that continues from a recovery point ends with the same weights and metrics', async () => {
  const config = { held_out: 0.2, batch_size: 3, epochs: 4, early_stop: 4, shuffle: true, schedule: 'cosine' as const, learning_rate: 0.3 }
  const answers = ['a', 'bb', 'ccc', 'd', 'ee', 'fff', 'g', 'hh', 'iii', 'j']
  const saved: { position: TrainSftOptions['position']; state: ReturnType<TableSession['state']> }[] = []
  const whole = newSession()
  const { hooks } = recordHooks()
  const keeping = {
    ...hooks,
    saveRecoveryPoint: async (position: NonNullable<TrainSftOptions['position']>) => {
      saved.push({ position: structuredClone(position), state: whole.state() })
      return 0
    },
  }
  const fixed = { signal: never, now: () => 0, limits: { recoverySteps: 1, recoveryShare: 1, recoveryBytesPerSecond: Infinity } }
  const outcome = await trainSft({ ...fixed, prepared: await plan(answers, config), session: whole, position: null, hooks: keeping })
  expect(saved.length).toBe(outcome.steps - 1)
  for (const { position, state } of saved) {
    const session = TableSession.fromState(state)
    const resumed = await trainSft({ ...fixed, prepared: await plan(answers, config), session, position, hooks: recordHooks().hooks })
    expect(session.table.logits).toEqual(whole.table.logits)
    expect(resumed).toEqual(outcome)
  }
})

test.each<[SftConfig, string]>([
  [{ held_out: 0.6 }, 'held_out 0.6 must be at most 0.5: more would be measured than learned'],
  [{ early_stop: 1 }, 'early_stop needs held_out, whose loss says when to stop; set held_out to 0.1'],
  [
    { packed_sequence_length: 100, batch_size: 2 },
    'packed_sequence_length and batch_size both say what a gradient step holds; send one of them',
  ],
  [{ learning_rate: [1], epochs: 2 }, 'learning_rate is a list with a rate for each batch, and cannot go with epochs; send one number'],
  [
    { learning_rate: [1], schedule: 'linear' },
    'learning_rate is a list with a rate for each batch, and cannot go with schedule; send one number',
  ],
  [{ dpo: { beta: 0, label_smoothing: 0, reference: 'start' } }, 'dpo.beta 0 must be above 0 and at most 100'],
  [
    { dpo: { beta: 0.1, label_smoothing: 0.5, reference: 'start' } },
    'dpo.label_smoothing 0.5 must be 0 or above and below 0.5, where a pair would say nothing',
  ],
])('%j is refused', (config, message) => {
  expect(() => checkSftConfig(config)).toThrow(message)
})
