import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { aRollout, prepare } from '../testing/table-rollouts.ts'
import type { Trajectory } from '../../sequences/trajectory.ts'
import type { PreparedRl } from './prepared-rl.ts'

const good = aRollout({ prompt: [1, 2, 3], tokens: [10, 11], reward: 1 })
const bad = aRollout({ prompt: [1, 2, 3], tokens: [12], reward: 0 })
const group = (...trajectories: Trajectory[]) => ({ trajectories })
const withReward = (reward: number) => aRollout({ prompt: [1], tokens: [2], reward })

/** The sequences of each row by their sampled tokens. */
const sampled = ({ rows }: PreparedRl) =>
  rows.map(({ sequences }) => sequences.map(({ tokens, mask }) => [...tokens].filter((_, at) => mask[at] === 1)))

describe('a job', () => {
  test('trains on attempts that differ from their group', async () => {
    const prepared = await prepare([group(good, bad, withReward(0.5)), group(withReward(1), withReward(1)), group(withReward(1)), group()])
    expect(sampled(prepared)).toEqual([[[10, 11], [12]]])
    expect(prepared.nothingToTrain).toBeNull()
    expect(prepared.metrics).toEqual({
      num_groups_submitted: 4,
      num_groups_trainable: 1,
      num_trajectories: 6,
      num_dropped_trajectories: 0,
      num_trainable_tokens: 3,
      reward: 4.5 / 6,
      reward_std_dev: prepared.rewards.rewardStdDev,
    })
    expect(prepared.rewards.rewardStdDev).toBeCloseTo(Math.sqrt(1 / 6) / 2, 9)
    expect(prepared.notes).toEqual([])
  })

  test('makes a part of a step of the rest that does not fill a row, by its sampled tokens, wherever the order puts it', async () => {
    const long = (reward: number, token: number) => aRollout({ prompt: [1], tokens: Array.from({ length: 15 }, () => token), reward })
    const groups = [group(long(1, 10), long(0, 11)), group(withReward(1), withReward(0))]
    const sharesOf = ({ rows }: PreparedRl) => rows.map(({ share, sequences }) => [sequences.length, share])
    const config = { packed_sequence_length: 16, logprob_calculation_chunk_size: 16 }
    expect(sharesOf(await prepare(groups, config))).toEqual([
      [1, 1],
      [1, 1],
      [2, 2 / 15],
    ])
    for (const seed of [1, 2, 3])
      expect(sharesOf(await prepare(groups, { ...config, seed })).toSorted((a, b) => a[0]! - b[0]!)).toEqual([
        [1, 1],
        [1, 1],
        [2, 2 / 15],
      ])
    expect(sharesOf(await prepare([group(withReward(1), withReward(0))]))).toEqual([[2, 1]])
  })

  test('trains without a reward as with 0', async () => {
    const { reward: _, ...without } = bad
    expect(sampled(await prepare([group(good, without)]))).toEqual(sampled(await prepare([group(good, bad)])))
  })

  test('takes groups as they arrive', async () => {
    async function* arriving() {
      yield group(good, bad)
      await setImmediate()
      yield group(withReward(1), withReward(0))
    }
    const whole = await prepare([group(good, bad), group(withReward(1), withReward(0))])
    expect(sampled(await prepare([], {}, { groups: arriving() }))).toEqual(sampled(whole))
  })

  test('reports how many trajectories have nothing to train on', async () => {
    const without = {
      ...good,
      messages_and_choices: good.messages_and_choices?.map((one) => ('logprobs' in one ? { ...one, logprobs: null } : one)),
    }
    const { metrics } = await prepare([group(good, bad, without), group(without, withReward(1))])
    expect(metrics).toMatchObject({ num_trajectories: 5, num_dropped_trajectories: 2 })
  })

  test('reports how many steps old its trajectories are', async () => {
    const aged = (version: number | null) => ({ ...good, initial_policy_version: version })
    const { metrics } = await prepare([group(aged(3), bad, aged(5), aged(null))], {}, { step: 5 })
    expect(metrics).toMatchObject({ staleness_mean: 1, staleness_max: 2 })
  })

  test('takes its rows in an order that follows from the seed', async () => {
    const groups = Array.from({ length: 12 }, (_, at) => group({ ...good, reward: at + 1 }, bad))
    const config = { packed_sequence_length: 8, logprob_calculation_chunk_size: 8 }
    const inOrder = await prepare(groups, config)
    const [first, again, other] = await Promise.all([7, 7, 8].map((seed) => prepare(groups, config, { seed })))
    const [named, namedAgain] = await Promise.all([8, 9].map((seed) => prepare(groups, { ...config, seed: 7 }, { seed })))
    const order = ({ rows }: PreparedRl) => rows.map(({ sequences }) => sequences[0]!.group)
    expect(order(first!)).toEqual(order(again!))
    expect([named, namedAgain].map((one) => order(one!))).toEqual([order(first!), order(first!)])
    expect(order(first!)).not.toEqual(order(inOrder))
    expect(order(first!)).not.toEqual(order(other!))
    expect(order(first!).toSorted((a, b) => a - b)).toEqual(order(inOrder))
  })

  test('gives trajectories the same advantages and weights in any order', async () => {
    const told = ({ rows }: PreparedRl) =>
      rows
        .flatMap(({ sequences }) =>
          sequences.map(({ tokens, advantage, weight }) => `${tokens.join()} ${advantage.toFixed(9)} ${weight.toFixed(9)}`),
        )
        .sort()
    const [one, two] = [group(good, bad, withReward(0.2)), group(withReward(1), withReward(0))]
    const forth = await prepare([one, two])
    expect(told(await prepare([two, group(...one.trajectories.toReversed())]))).toEqual(told(forth))
  })

  test('scales the learning rate of a row by its trajectories, and by what is left of the deviation of rewards', async () => {
    const deviations = [
      { step: 0, rewardStdDev: 0.4 },
      { step: 1, rewardStdDev: 0.2 },
    ]
    const rate = async (config: object) =>
      (await prepare([group(good, bad, withReward(0.2))], { learning_rate: 0.1, ...config }, { deviations })).rows[0]!.learningRate
    expect(await rate({})).toBe(0.1)
    expect(await rate({ scale_learning_rate_by_reward_std_dev: true })).toBeCloseTo(0.05, 12)
    // Three sequences that share no prompt: one trajectory less.
    expect(await rate({ num_trajectories_learning_rate_multiplier_power: 0.5 })).toBeCloseTo(0.1 * Math.SQRT2, 12)
  })

  test('lets the event loop run while it prepares', async () => {
    const long = aRollout({ prompt: [1], tokens: Array.from({ length: 20_000 }, (_, at) => at % 100), reward: 0 })
    let ticks = 0
    let ended = false
    const ticking = (async () => {
      while (!ended) {
        await setImmediate()
        ticks++
      }
    })()
    await prepare([group(...Array.from({ length: 100 }, (_, reward) => ({ ...long, reward })))])
    ended = true
    await ticking
    expect(ticks).toBeGreaterThan(2)
  })

  test('ends when it is aborted', async () => {
    const controller = new AbortController()
    const groups = (function* () {
      yield group(good, bad)
      controller.abort(new Error('cancelled'))
      yield group(good, bad)
    })()
    await expect(prepare([], {}, { groups, signal: controller.signal })).rejects.toThrow('cancelled')
  })

  test('refuses a trajectory of too many tokens by its place', async () => {
    const prompt = new Array<number>(1_000_000).fill(1)
    await expect(prepare([group(aRollout({ prompt, tokens: [2], reward: 1 }), bad)])).rejects.toThrow(
      'trajectory_groups.0.trajectories.0 has 1000001 tokens; a trajectory may have 1000000',
    )
  })
})

describe('a job that cannot train says why', () => {
  const unscored = (reward: number) => aRollout({ prompt: [1], tokens: [2], logprobs: null, reward })
  const long = (reward: number) => aRollout({ prompt: Array.from({ length: 80 }, () => 1), tokens: [2], reward })

  test.each([
    ['no trajectories', [], {}],
    ['no trajectories', [group(), group()], {}],
    ['no logprobs', [group(unscored(1), unscored(0))], {}],
    // Both hold: without log-probabilities, other rewards would not help.
    ['no logprobs', [group(unscored(1), unscored(1))], {}],
    ['no logprobs', [group(unscored(1), unscored(0)), group(good, good)], {}],
    ['equal rewards', [group(good, good), group(bad)], {}],
    ['equal rewards', [group(withReward(0.1 + 0.2), withReward(0.3), withReward(0.30000000000000016))], {}],
    ['equal rewards', [group(unscored(1), unscored(1))], { allow_training_without_logprobs: true }],
    ['everything truncated', [group(long(1), long(0))], {}],
    ['advantage balance', [group({ ...unscored(1), messages_and_choices: [] }, bad)], { advantage_balance: 1 }],
  ])('%s', async (reason, groups, config) => {
    const prepared = await prepare(groups, config)
    expect(prepared.rows).toEqual([])
    expect(prepared.nothingToTrain).toMatchObject({ reason })
    expect(prepared.nothingToTrain!.message.startsWith(`${reason}: `)).toBe(true)
    const trainable = groups.filter(({ trajectories }) => new Set(trajectories.map(({ reward }) => reward?.toFixed(9))).size > 1).length
    expect(prepared.metrics).toEqual({ num_groups_submitted: groups.length, num_groups_trainable: trainable })
  })
})

describe('the first event notes', () => {
  test('what was cut', async () => {
    const long = {
      ...good,
      messages_and_choices: aRollout({ prompt: [1, 2], tokens: [...Array(70).keys()], reward: 1 }).messages_and_choices!,
    }
    const lost = aRollout({ prompt: [...Array(64).keys()], tokens: [1, 2], reward: 0 })
    const { notes, rows } = await prepare([group(long, lost, bad)])
    expect(rows.flatMap(({ sequences }) => sequences.map(({ tokens }) => tokens.length))).toEqual([64, 4])
    expect(notes).toEqual([
      '2 sequences were longer than the row length of 64 and were cut, with 10 sampled tokens; 1 of them had nothing left to train on',
    ])
  })

  test('attempts and choices without log-probabilities', async () => {
    const unscored = { ...aRollout({ prompt: [1, 2, 3], tokens: [9], logprobs: null, reward: 0.5 }) }
    const { notes, rows } = await prepare([group(good, bad, { ...unscored, reward: 0.2 })])
    expect(rows).not.toEqual([])
    expect(notes).toEqual([
      '1 trajectories have no choice with log-probabilities: their rewards count in their groups, and nothing is learned from them',
      '1 choices have no log-probabilities and were taken as context; send choices as chat completions returned them',
    ])
  })

  test('choices that are in several histories', async () => {
    const twice = { ...good, additional_histories: [{ messages_and_choices: good.messages_and_choices! }] }
    const other = aRollout({ prompt: [1, 2, 3], tokens: [13, 14], reward: 1 })
    const apart = { ...good, additional_histories: [{ messages_and_choices: other.messages_and_choices! }] }
    expect((await prepare([group(twice, bad)])).notes).toEqual([
      '1 choices stand in several histories of their trajectory and are learned once in each; send a choice once, and as a message elsewhere',
    ])
    expect((await prepare([group(apart, bad)])).notes).toEqual([])
  })

  test('tokens that were looked up by their text', async () => {
    const looked = {
      messages_and_choices: [
        { role: 'user', content: 'q' },
        { message: { content: 'a' }, logprobs: { content: [{ token: 'a', logprob: -1 }] } },
      ],
    }
    const { notes } = await prepare([group(good, looked)])
    expect(notes).toEqual([
      '1 tokens were looked up by their text, which may stand for another token than was sampled; send tokens as token_id:<number>',
    ])
  })

  test.each([
    [{ learning_rate: 5e-6 }, 'learning_rate 0.000005 teaches table next to nothing; try 0.05'],
    [{ truncated_importance_sampling: 2 }, 'truncated_importance_sampling has no effect without precalculate_logprobs'],
    [{ kl_penalty_step_lag: 2 }, 'kl_penalty_step_lag has no effect while kl_penalty_coef is 0'],
    [{ kl_penalty_reference_step: 0 }, 'kl_penalty_reference_step has no effect while kl_penalty_coef is 0'],
    [{ kl_ref_adapter_path: 'a-artifact:///e/p/m:step1' }, 'kl_ref_adapter_path has no effect while kl_penalty_coef is 0'],
  ])('what %j does', async (config, note) => {
    expect((await prepare([group(good, bad)], config)).notes).toEqual([note])
  })
})
