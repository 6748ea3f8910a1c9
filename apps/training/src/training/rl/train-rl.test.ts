import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seededRandom } from '@heddle/testing'
import { describe, expect, test } from 'vitest'
import { firstDifference, isClose, vectors } from '../../objective/testing/objective-vectors.ts'
import type { TrainingConfig } from '../../objective/settings/training-config.ts'
import { copyTable, createTable, entropyOf, logSoftmax, type Table, TableSession } from '../testing/table-policy.ts'
import { aRollout, never, prepare, recordHooks, rollOut, scoreTables, version } from '../testing/table-rollouts.ts'
import { createRecoveryPace } from '../recovery-pace.ts'
import { trainingRunLimits } from '../training-run.ts'
import { trainRl, type RowTensors, type TrainRlOptions } from './train-rl.ts'
import type { PreparedRl } from './prepared-rl.ts'

const half = Math.log(0.5)
const group = (...trajectories: ReturnType<typeof aRollout>[]) => ({ trajectories })
const twoAttempts = group(
  aRollout({ prompt: [0], tokens: [1], logprobs: [half], reward: 1 }),
  aRollout({ prompt: [0], tokens: [0], logprobs: [half], reward: 0 }),
)

function options(prepared: PreparedRl, session: TableSession, more: Partial<TrainRlOptions> = {}): TrainRlOptions {
  const start = copyTable(session.table)
  const { score } = scoreTables({ start, reference: createTable(session.table.vocabularySize) })
  return {
    prepared,
    session,
    score,
    start: version('start'),
    reference: null,
    position: null,
    signal: never,
    hooks: recordHooks().hooks,
    ...more,
  }
}

/** A job of several rows with every kind of number in play. */
async function manyRows(table: Table, config: TrainingConfig = {}) {
  const random = seededRandom(3)
  const groups = rollOut(table, { prompts: [0, 1, 2, 3], attempts: 4, length: 3, random, reward: () => random() })
  return await prepare(
    groups,
    { packed_sequence_length: 16, logprob_calculation_chunk_size: 8, learning_rate: 0.1, ...config },
    { seed: 5 },
  )
}

const slanted = () => createTable(4, (previous, next) => Math.sin(previous * 4 + next))

describe('a gradient step', () => {
  test('is what can be worked out by hand', async () => {
    const session = new TableSession(createTable(2))
    const { hooks, steps } = recordHooks()
    const outcome = await trainRl(options(await prepare([twoAttempts], { learning_rate: 0.1 }), session, { hooks }))
    // Two tokens of weight 1 and advantage 1 and -1, at probability 1/2: coefficients -1/2 and 1/2, gradients 1/2 and -1/2.
    expect(steps).toHaveLength(1)
    const { policy_loss: loss, ...metrics } = steps[0]!.metrics
    expect(loss).toBeCloseTo(0, 7)
    expect(metrics).toEqual({
      grad_norm: expect.closeTo(Math.SQRT1_2, 5),
      learning_rate: 0.1,
      entropy: expect.closeTo(Math.log(2), 6),
      num_trainable_tokens: 2,
      'loss/importance_ratio_mean': expect.closeTo(1, 6),
      'loss/importance_ratio_p95': expect.closeTo(1, 6),
      'loss/importance_ratio_p99': expect.closeTo(1, 6),
      'loss/clipped_token_fraction': 0,
    })
    // The first step of Adam goes by the sign alone: as far as the learning rate.
    expect(firstDifference([...session.table.logits], [-0.1, 0.1, 0, 0])).toBeNull()
    expect(session.stepsMade).toEqual([{ learningRate: 0.1, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0.1, clip: 0.1 }])
    expect(outcome).toMatchObject({ steps: 1, skipped: 0 })
    expect(outcome.metrics).toEqual(steps[0]!.metrics)
  })

  test('is made for each row, and the outcome has the means of their metrics', async () => {
    const session = new TableSession(slanted())
    const prepared = await manyRows(session.table)
    const { hooks, steps } = recordHooks()
    const outcome = await trainRl(options(prepared, session, { hooks }))
    expect(prepared.rows.length).toBeGreaterThan(3)
    expect(steps.map(({ index, total }) => [index, total])).toEqual(prepared.rows.map((_, at) => [at, prepared.rows.length]))
    for (const [name, mean] of Object.entries(outcome.metrics)) {
      const values = steps.map(({ metrics }) => metrics[name]!).filter((value) => value !== undefined)
      expect(mean).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 9)
    }
    expect(outcome.metrics['probs_corr']).toBeGreaterThan(0.9)
  })

  test.each<TrainingConfig>([
    {},
    { kl_penalty_coef: 0.4 },
    { importance_sampling_level: 'sequence', ppo: true, precalculate_logprobs: true },
  ])('is the same however much goes to the engine at a time: %j', async (config) => {
    const ends = []
    for (const tokensAtATime of [1, 8, 1000]) {
      const session = new TableSession(slanted())
      const reference = config.kl_penalty_coef ? version('reference') : null
      await trainRl(options(await manyRows(session.table, config), session, { reference, limits: { tokensAtATime } }))
      ends.push([...session.table.logits])
    }
    expect(ends[1]).toEqual(ends[0])
    expect(ends[2]).toEqual(ends[0])
  })

  test('with a penalty compares with the reference, and runs forward once where a row goes at a time', async () => {
    const session = new TableSession(slanted())
    const prepared = await manyRows(session.table, { kl_penalty_coef: 0.5 })
    const { hooks, steps } = recordHooks()
    const { score, asked } = scoreTables({ reference: createTable(4) })
    await trainRl(options(prepared, session, { score, reference: version('reference'), hooks }))
    expect(asked).toEqual(prepared.rows.map(() => 'reference'))
    expect(session.forwards).toBe(prepared.rows.length)
    const [row] = prepared.rows
    const distances = row!.sequences.flatMap(({ tokens, mask }) => {
      const table = slanted()
      return [...tokens].flatMap((token, at) =>
        mask[at] === 1 ? [logSoftmax(table.logits.subarray(tokens[at - 1]! * 4, tokens[at - 1]! * 4 + 4))[token]! - Math.log(1 / 4)] : [],
      )
    })
    expect(steps[0]!.metrics['kl_policy_ref']).toBeCloseTo(distances.reduce((sum, each) => sum + each, 0) / distances.length, 6)
  })

  test('asks no engine without a penalty and without recomputing', async () => {
    const session = new TableSession(slanted())
    const { score, asked } = scoreTables({})
    const { hooks, steps } = recordHooks()
    await trainRl(options(await manyRows(session.table), session, { score, hooks }))
    expect(asked).toEqual([])
    expect(steps[0]!.metrics).not.toHaveProperty('kl_policy_ref')
  })

  test('measures drift inside the job when old log-probabilities are recomputed', async () => {
    const sampler = createTable(4)
    const session = new TableSession(slanted())
    const prepared = await manyRows(sampler, { precalculate_logprobs: true })
    const { hooks, steps } = recordHooks()
    await trainRl(options(prepared, session, { hooks }))
    expect(steps[0]!.metrics['loss/importance_ratio_mean']).toBeCloseTo(1, 5)
    expect(steps[0]!.metrics['probs_corr']).toBeCloseTo(1, 5)
    expect(Math.abs(steps.at(-1)!.metrics['loss/importance_ratio_p99']! - 1)).toBeGreaterThan(0.01)
  })

  test('shows the tokens of its row when tensors are requested', async () => {
    const session = new TableSession(createTable(2))
    const rows: RowTensors[] = []
    const onTensors = (tensors: RowTensors) => void rows.push(tensors)
    await trainRl(options(await prepare([twoAttempts]), session, { onTensors }))
    expect(rows).toEqual([])
    await trainRl(options(await prepare([twoAttempts], { plot_tensors: true }), new TableSession(createTable(2)), { onTensors }))
    expect(rows).toHaveLength(1)
    const coefficients = rows[0]!.sequences.map(({ objective }) => [...objective.coefficients])
    expect(coefficients.flat()).toEqual([0, expect.closeTo(-0.5, 5), 0, expect.closeTo(0.5, 5)])
  })
})

describe('numbers that are not finite', () => {
  /** The prompt 3 gives no probabilities. */
  const broken = () => createTable(4, (previous) => (previous === 3 ? Number.NaN : 0))
  const attempts = (prompt: number) =>
    group(
      aRollout({ prompt: [prompt], tokens: [1], logprobs: [-1], reward: 1 }),
      aRollout({ prompt: [prompt], tokens: [0], logprobs: [-1], reward: 0 }),
    )
  const oneGroupEach = { packed_sequence_length: 4, logprob_calculation_chunk_size: 4, learning_rate: 0.1 }

  test('skip a step, report it and change no weights', async () => {
    const session = new TableSession(broken())
    const { hooks, steps } = recordHooks()
    const prepared = await prepare([0, 3, 3, 1].map(attempts), oneGroupEach)
    const outcome = await trainRl(options(prepared, session, { hooks }))
    expect(steps.map(({ metrics }) => metrics['loss/skipped_step'] ?? 0)).toEqual([0, 1, 1, 0])
    expect(steps[1]!.metrics).toEqual({
      learning_rate: 0.1,
      num_trainable_tokens: 2,
      'loss/skipped_step': 1,
      'loss/clipped_token_fraction': 0,
    })
    expect(outcome).toMatchObject({ steps: 4, skipped: 2 })

    const other = new TableSession(broken())
    await trainRl(options({ ...prepared, rows: [prepared.rows[0]!, prepared.rows[3]!] }, other))
    expect(session.table.logits.slice(0, 12)).toEqual(other.table.logits.slice(0, 12))
  })

  test('leave a step out also when only one part of it has them', async () => {
    const session = new TableSession(broken())
    const prepared = await prepare([group(...attempts(0).trajectories, ...attempts(3).trajectories)], { learning_rate: 0.1 })
    const before = [...session.table.logits]
    const outcome = await trainRl(options(prepared, session, { limits: { tokensAtATime: 2 } }))
    expect(outcome.skipped).toBe(1)
    expect([...session.table.logits]).toEqual(before)
    expect(session.gradients.every((gradient) => gradient === 0)).toBe(true)
  })

  test('three times in a row fail the job', async () => {
    const session = new TableSession(broken())
    const prepared = await prepare([0, 3, 3, 3, 1].map(attempts), oneGroupEach)
    await expect(trainRl(options(prepared, session))).rejects.toThrow('gradient steps 2 to 4 gave numbers that are not finite (loss NaN')
  })

  test('count as in a row across a recovery point', async () => {
    const prepared = await prepare([0, 3, 3, 3].map(attempts), oneGroupEach)
    const states: TableSession[] = []
    const session = new TableSession(broken())
    const { hooks, positions } = recordHooks(() => states.push(TableSession.fromState(session.state())))
    await expect(trainRl(options(prepared, session, { hooks, limits: { recoverySteps: 1, recoveryShare: 1 } }))).rejects.toThrow(
      'gradient steps 2 to 4',
    )
    expect(positions.at(-1)).toMatchObject({ nextStep: 3, skippedInARow: 2 })
    await expect(trainRl(options(prepared, states.at(-1)!, { position: positions.at(-1)! }))).rejects.toThrow('gradient steps 2 to 4')
  })
})

describe('a teacher', () => {
  const teacher = createTable(4, (previous, next) => 2 * Math.cos(previous + 2 * next))
  /** The mean divergence of a policy from the teacher, over the tokens before. */
  const divergence = ({ logits }: Table) =>
    [0, 1, 2, 3].reduce((sum, previous) => {
      const [now, taught] = [logits, teacher.logits].map((all) => logSoftmax(all.subarray(previous * 4, previous * 4 + 4)))
      return sum + now!.reduce((inner, value, at) => inner + Math.exp(value) * (value - taught![at]!), 0) / 4
    }, 0)

  test('is approached on what the student samples, without rewards and in groups of one', async () => {
    const session = new TableSession(slanted())
    const random = seededRandom(4)
    const before = divergence(session.table)
    const { score, asked } = scoreTables({ teacher })
    for (let job = 0; job < 20; job++) {
      const groups = rollOut(session.table, { prompts: [0, 1, 2, 3, 0, 1, 2, 3], attempts: 1, length: 8, random, reward: () => 0 })
      const prepared = await prepare(groups, { distillation_teacher: 'teacher', learning_rate: 0.1 })
      expect(prepared.metrics).toMatchObject({ num_groups_trainable: 8, num_trainable_tokens: 64 })
      await trainRl(options(prepared, session, { score, reference: version('teacher') }))
    }
    expect(new Set(asked)).toEqual(new Set(['teacher']))
    expect(before).toBeGreaterThan(0.5)
    expect(divergence(session.table)).toBeLessThan(before / 4)
  })

  test('cannot teach where nothing was sampled', async () => {
    const silent = group(aRollout({ prompt: [0], tokens: [1], logprobs: null, reward: 1 }))
    const { nothingToTrain } = await prepare([silent], { distillation_teacher: 'teacher' })
    expect(nothingToTrain).toMatchObject({ reason: 'no logprobs' })
  })
})

describe('recovery points', () => {
  test('every one of them leads to the same weights, events and metrics', async () => {
    const session = new TableSession(slanted())
    const start = copyTable(session.table)
    const prepared = await manyRows(session.table, { kl_penalty_coef: 0.2, precalculate_logprobs: true })
    const { score } = scoreTables({ start, reference: createTable(4) })
    const fixed = { score, reference: version('reference') }
    const states: string[] = []
    const { hooks, steps, positions } = recordHooks(() => states.push(JSON.stringify(session.state())))
    const outcome = await trainRl(options(prepared, session, { ...fixed, hooks, limits: { recoverySteps: 1, recoveryShare: 1 } }))
    expect(positions.map(({ nextStep }) => nextStep)).toEqual(prepared.rows.slice(1).map((_, at) => at + 1))

    for (const [at, position] of positions.entries()) {
      const resumed = TableSession.fromState(JSON.parse(states[at]!))
      const again = recordHooks()
      const written = JSON.parse(JSON.stringify(position))
      expect(await trainRl(options(prepared, resumed, { ...fixed, hooks: again.hooks, position: written }))).toEqual(outcome)
      expect(again.steps).toEqual(steps.slice(position.nextStep).map(({ index, total, metrics }) => ({ index, total, metrics })))
      expect([...resumed.table.logits]).toEqual([...session.table.logits])
    }
  })

  test('come after so many steps, or so much time', async () => {
    const session = new TableSession(slanted())
    const prepared = await manyRows(session.table)
    const bySteps = recordHooks()
    await trainRl(options(prepared, session, { hooks: bySteps.hooks, limits: { recoverySteps: 2 }, now: () => 0 }))
    expect(bySteps.positions.map(({ nextStep }) => nextStep)).toEqual([2, 4, 6].filter((step) => step < prepared.rows.length))
    let time = 0
    const byTime = recordHooks()
    const hooks = { ...byTime.hooks, onGradientStep: () => void (time += 15_000) }
    await trainRl(options(prepared, new TableSession(slanted()), { hooks, now: () => time }))
    expect(byTime.positions.map(({ nextStep }) => nextStep)).toEqual([2, 4, 6].filter((step) => step < prepared.rows.length))
  })

  test.each([
    ['its time, at most a twentieth of that of the job', { ms: 3_000, bytes: 0 }, 57],
    ['its bytes, at most 8 MiB for each second', { ms: 0, bytes: 1_600_000_000 }, 191],
    ['neither where it is small and quick', { ms: 1, bytes: 1_000 }, 20],
  ])('are as far apart as the last one has cost: %s', (_cost, { ms, bytes }, seconds) => {
    let time = 0
    const pace = createRecoveryPace(0, trainingRunLimits, () => time)
    const dueAfter = (step: number) => {
      const from = time
      while (!pace.isDue(step)) time += 1_000
      return (time - from) / 1_000
    }
    expect(dueAfter(1)).toBe(20)
    const startedAt = time
    time += ms
    pace.noteSaved({ nextStep: 1, startedAt, bytes })
    // Also after more than 50 steps.
    expect(dueAfter(seconds === 20 ? 2 : 1_000)).toBe(seconds)
  })

  test('are told with the step after them', async () => {
    let time = 0
    const { hooks, steps } = recordHooks()
    const slow = { ...hooks, saveRecoveryPoint: async () => ((time += 500), 1_000) }
    const session = new TableSession(slanted())
    await trainRl(
      options(await manyRows(session.table), session, { hooks: slow, limits: { recoverySteps: 2, recoveryShare: 1 }, now: () => time }),
    )
    expect(steps.slice(0, 4).map(({ saved }) => saved)).toEqual([undefined, undefined, { bytes: 1_000, seconds: 0.5 }, undefined])
  })

  test('a session writes its state to a folder and comes back from it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'heddle-training-'))
    const session = new TableSession(slanted())
    await trainRl(options(await manyRows(session.table), session))
    await session.saveState(folder)
    expect((await TableSession.load(folder)).state()).toEqual(session.state())
    await rm(folder, { recursive: true })
  })
})

test('an abort ends the job between the parts of a step', async () => {
  const controller = new AbortController()
  const session = new TableSession(slanted())
  const backward = session.backward.bind(session)
  let parts = 0
  session.backward = async (coefficients, signal) => {
    await backward(coefficients, signal)
    if (++parts === 2) controller.abort(new Error('cancelled'))
  }
  const job = trainRl(options(await manyRows(session.table), session, { signal: controller.signal, limits: { tokensAtATime: 1 } }))
  await expect(job).rejects.toThrow('cancelled')
  expect(parts).toBe(2)
  expect(session.stepsMade).toEqual([])
})

describe('learning', () => {
  const wanted = 2

  async function meanReward(shuffle: boolean, seed: number): Promise<{ before: number; after: number }> {
    const session = new TableSession(createTable(6))
    const random = seededRandom(seed)
    const reward = (tokens: readonly number[]) =>
      shuffle ? Math.round(random()) : tokens.filter((token) => token === wanted).length / tokens.length
    const measure = () => {
      const groups = rollOut(session.table, {
        prompts: [0, 1, 3],
        attempts: 50,
        length: 2,
        random,
        reward: (tokens) => tokens.filter((token) => token === wanted).length / 2,
      })
      const rewards = groups.flatMap(({ trajectories }) => trajectories.map((each) => each.reward!))
      return rewards.reduce((sum, each) => sum + each, 0) / rewards.length
    }
    const before = measure()
    for (let job = 0; job < 20; job++) {
      const groups = rollOut(session.table, { prompts: [0, 1, 3], attempts: 8, length: 2, random, reward })
      await trainRl(options(await prepare(groups, { learning_rate: 0.3 }, { seed: job, step: job }), session))
    }
    return { before, after: measure() }
  }

  test.each([1, 2, 3])('raises the reward of what is rewarded, seed %d', async (seed) => {
    const { before, after } = await meanReward(false, seed)
    expect(before).toBeLessThan(0.35)
    expect(after).toBeGreaterThan(0.9)
  })

  test.each([1, 2, 3])('learns nothing from rewards that mean nothing, seed %d', async (seed) => {
    const { after } = await meanReward(true, seed)
    expect(after).toBeLessThan(0.6)
  })
})

test('the table that these tests train has exact log-probabilities', () => {
  const { logits, logprobs, entropy } = vectors.log_softmax
  expect(firstDifference(logSoftmax(logits), logprobs)).toBeNull()
  expect(isClose(entropyOf(logSoftmax(logits)), entropy)).toBe(true)
})
