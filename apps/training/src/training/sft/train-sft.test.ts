import { describe, expect, test } from 'vitest'
import { countOnes } from '../../sequences/mask.ts'
import { createTestTokenizer, renderPlain } from '../../sequences/testing/test-tokenizer.ts'
import { aMessage } from '../../sequences/testing/token-choices.ts'
import { prepareSft, type PrepareSftInput } from './prepare-sft.ts'
import { checkSftConfig, type SftConfig } from './sft-config.ts'
import { createTable, TableSession } from '../testing/table-policy.ts'
import { aTableModel, never, recordHooks } from '../testing/table-rollouts.ts'
import { trainSft, type TrainSftOptions } from './train-sft.ts'

const tokenizer = createTestTokenizer()
const says = (answer: string, question = 'q') =>
  JSON.stringify({
    messages: [
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ],
  })
const prepare = (lines: readonly string[], config: SftConfig = {}, more: Partial<PrepareSftInput> = {}) =>
  prepareSft({ lines, config, model: aTableModel, tokenizer, signal: never, ...more })

const train = (prepared: TrainSftOptions['prepared'], session: TableSession, more: Partial<TrainSftOptions> = {}) =>
  trainSft({ prepared, session, position: null, signal: never, hooks: recordHooks().hooks, ...more })

const newSession = () => new TableSession(createTable(131))

describe('batches', () => {
  test('take conversations in order, two at a time unless a size is given', async () => {
    const lines = [says('a'), '', says('b'), says('c')]
    const sizes = async (config: SftConfig) => (await prepare(lines, config)).batches.map(({ sequences }) => sequences.length)
    expect(await sizes({})).toEqual([2, 1])
    expect(await sizes({ batch_size: 'auto' })).toEqual([2, 1])
    expect(await sizes({ batch_size: 3 })).toEqual([3])
  })

  test('have a learning rate each, of which a last 0 is normal', async () => {
    const rates = async (config: SftConfig) =>
      (await prepare([says('a'), says('b'), says('c')], config)).batches.map(({ learningRate }) => learningRate)
    expect(await rates({})).toEqual([0.05, 0.05])
    expect(await rates({ learning_rate: 0.1 })).toEqual([0.1, 0.1])
    expect(await rates({ learning_rate: [0.1, 0] })).toEqual([0.1, 0])
    await expect(rates({ learning_rate: [0.1, 0.1, 0.1] })).rejects.toThrow(
      'learning_rate has 3 values for 2 batches (3 conversations in batches of 2); send one for each batch, or a single number',
    )
  })

  test('that are not full make a part of a step, by what they have to learn and the full ones have; a list of rates is taken as it is', async () => {
    const steps = async (lines: string[], config: SftConfig) => {
      const session = newSession()
      const lengths: number[] = []
      const step = session.step.bind(session)
      session.step = (optimizer, signal) => {
        lengths.push(optimizer.learningRate)
        return step(optimizer, signal)
      }
      const { hooks, steps: told } = recordHooks()
      await train(await prepare(lines, config), session, { hooks })
      return { lengths, told: told.map(({ metrics }) => [metrics['learning_rate'], metrics['step_share']]) }
    }
    const lines = [says('aaaa'), says('bbbb'), says('cccc'), says('dddd'), says('e')]
    const { lengths, told } = await steps(lines, { learning_rate: 0.1 })
    const [full, rest] = (await prepare(lines, {})).batches
      .filter((_, at) => at !== 1)
      .map(({ sequences }) => sequences.reduce((sum, { labels }) => sum + countOnes(labels), 0)) as [number, number]
    expect(lengths).toEqual([0.1, 0.1, 0.1 * (rest / full)])
    expect(rest / full).toBeLessThan(0.5)
    // The requested rate is constant, as the contract says.
    expect(told).toEqual([
      [0.1, undefined],
      [0.1, undefined],
      [0.1, rest / full],
    ])
    expect((await steps(lines, { learning_rate: [0.1, 0.1, 0.1] })).lengths).toEqual([0.1, 0.1, 0.1])
    expect((await steps([says('a')], { learning_rate: 0.1 })).lengths).toEqual([0.1])
    expect((await steps([says('a'), says('bbbb'), says('cccccccccccc')], { learning_rate: 0.1 })).lengths).toEqual([0.1, 0.1])
  })

  test('drop what is too long and what holds nothing to learn, with a count, and keep the places of the others', async () => {
    const lines = [
      says('a'.repeat(60)),
      says('b'.repeat(60)),
      says('c'),
      JSON.stringify({ messages: [{ role: 'assistant', content: 'd' }] }),
    ]
    const { batches, dropped, notes, metrics } = await prepare(lines, { learning_rate: [0.1, 0.2] })
    expect(batches.map(({ sequences, learningRate }) => [sequences.length, learningRate])).toEqual([[2, 0.2]])
    expect(dropped).toBe(2)
    expect(metrics).toEqual({ num_trajectories: 2, num_dropped_trajectories: 2 })
    expect(notes).toEqual([
      '2 conversations were longer than the 64 tokens of table and dropped (the longest has 80): shorten them, or train from a base model with a longer context',
    ])
  })

  test('that hold nothing to learn fail the job, with the reason and what to do', async () => {
    await expect(prepare(['', ' '])).rejects.toThrow('no examples: the training data holds no conversation')
    const silent = createTestTokenizer({ render: () => 'nothing' })
    const noText = 'no assistant text: none of 1 conversations holds anything of the assistant to learn'
    await expect(prepare([says('a')], {}, { tokenizer: silent })).rejects.toThrow(noText)
  })

  const [long, longer] = [says('a'.repeat(60)), says('b'.repeat(100))]
  test.each([
    ['all of which are too long', [long, longer], {}, '2 of 2 conversations are longer than the 64 tokens of table (the longest has 120)'],
    [
      'the others of which are held out',
      [long, says('c')],
      { held_out_rows: 1 },
      '1 of 2 conversations are longer than the 64 tokens of table (the longest has 80), and the others are held out or hold nothing to learn',
    ],
    [
      'the others of which hold nothing',
      [
        long,
        JSON.stringify({
          messages: [
            { role: 'user', content: 'q' },
            { role: 'assistant', content: 'd', weight: 0 },
          ],
        }),
      ],
      {},
      '1 of 2 conversations are longer than the 64 tokens of table (the longest has 80), and the others hold nothing to learn',
    ],
  ])('%s fail the job, which names the longest, the limit and what to do', async (_what, lines, config, reason) => {
    const whole = `everything is too long: ${reason}; shorten them, or train from a base model with a longer context`
    await expect(prepare(lines, config)).rejects.toThrow(whole)
  })

  test('name the line that is malformed', async () => {
    await expect(prepare([says('a'), '', '{'])).rejects.toThrow('line 3 of the training data is not a JSON object')
  })

  test('say what could not be learned as it was given: masks of other tokens, and characters that the model cannot say', async () => {
    const masked = JSON.stringify({ ...(JSON.parse(says('a')) as object), loss_mask: [1, 0, 1] })
    const ignored = 'does not have one 0 or 1 for each message and was ignored; set weight to 0 on messages that are not to be learned'
    const many = Array.from({ length: 22 }, (_, at) => at + 1)
    expect((await prepare(many.map(() => masked))).notes).toEqual([
      `loss_mask of lines ${many.slice(0, 20).join(', ')} and 2 more ${ignored}`,
    ])
    expect((await prepare([says('a'), '', masked])).notes).toEqual([
      'loss_mask of line 3 does not have one 0 or 1 for each message and was ignored; set weight to 0 on messages that are not to be learned',
    ])
    const lossy = { ...tokenizer, encode: (text: string) => tokenizer.encode(text.replaceAll(/[é{]/g, '?')) }
    expect((await prepare([says('caf\u00e9 {'), says('b')], {}, { tokenizer: lossy })).notes).toEqual([
      '1 texts to learn are changed by the tokenizer of table, which has no tokens for all of their characters, as for "\u00e9" "{": it cannot learn to say them',
    ])
  })

  test('name the lines whose reasoning is in a field that the template does not write', async () => {
    const thinking = (more: object) => JSON.stringify({ messages: [aMessage('user', 'q'), { ...aMessage('assistant', 'a'), ...more }] })
    const lines = [
      thinking({ reasoning_content: 'hm' }),
      thinking({ reasoning: 'hm' }),
      thinking({ reasoning_content: ' ', reasoning: null }),
      thinking({ reasoning_content: 'hm', content: '<think>hm</think>a' }),
      thinking({ reasoning_content: 'hm', weight: 0 }),
    ]
    const note = (numbers: string) =>
      `reasoning of ${numbers} is in a field that the chat template of table does not write there, and was not learned; write it into the content`
    expect((await prepare(lines)).notes.filter((one) => one.startsWith('reasoning'))).toEqual([note('lines 1, 2')])
    const writes = createTestTokenizer({
      render: ({ messages, ...rest }) =>
        renderPlain({
          ...rest,
          messages: messages.map((each) => ({ ...each, content: `${each['reasoning_content'] ?? ''}${each.content}` })),
        }),
    })
    expect((await prepare(lines, {}, { tokenizer: writes })).notes.filter((one) => one.startsWith('reasoning'))).toEqual([note('line 2')])
  })

  test('suggest a learning rate that teaches the model something', async () => {
    const { notes } = await prepare([says('a')], { learning_rate: 5e-6 })
    expect(notes).toEqual(['learning_rate 0.000005 teaches table next to nothing; try 0.05'])
  })

  test.each([-1, Number.NaN, [0.1, -1]])('refuse a learning rate of %j', (learning_rate) => {
    expect(() => checkSftConfig({ learning_rate })).toThrow(/^learning_rate (-1|NaN) must be 0 or above$/)
    expect(() => checkSftConfig({ learning_rate: [0.1, 0] })).not.toThrow()
  })
})

describe('a gradient step', () => {
  test('is the token mean over the batch, not a mean of means', async () => {
    const session = newSession()
    const { hooks, steps } = recordHooks()
    let time = 0
    const prepared = await prepare([says('abc'), says('d')])
    await train(prepared, session, { hooks, now: () => (time += 500) })
    // Labels: a, b, c and the end of the turn; d and the end of the turn. Every token is as likely as any other.
    expect(steps).toEqual([
      {
        index: 0,
        total: 1,
        metrics: {
          gradient_step: 1,
          loss: expect.closeTo(Math.log(131), 5),
          grad_norm: expect.any(Number),
          learning_rate: 0.05,
          num_tokens: prepared.batches[0]!.sequences.reduce((sum, { tokens }) => sum + tokens.length, 0),
          num_trainable_tokens: 6,
          num_trajectories: 2,
          num_dropped_trajectories: 0,
          tokens_per_second: expect.any(Number),
        },
      },
    ])
    expect(session.stepsMade).toEqual([{ learningRate: 0.05, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, clip: 1 }])
  })

  test('is the same however much goes to the engine at a time', async () => {
    const ends = []
    for (const tokensAtATime of [1, 1000]) {
      const session = newSession()
      await train(await prepare([says('abc'), says('d'), says('ef')], { batch_size: 3 }), session, { limits: { tokensAtATime } })
      ends.push([...session.table.logits])
    }
    expect(ends[0]).toEqual(ends[1])
  })

  test('after the other teaches what was said', async () => {
    const session = newSession()
    const { hooks, steps } = recordHooks()
    const lines = Array.from({ length: 40 }, () => says('ab'))
    const outcome = await train(await prepare(lines, { learning_rate: 0.3 }), session, { hooks })
    expect(steps).toHaveLength(20)
    expect(steps[0]!.metrics['loss']).toBeGreaterThan(4)
    expect(steps.at(-1)!.metrics['loss']).toBeLessThan(0.5)
    const losses = steps.map(({ metrics }) => metrics['loss']!)
    expect(outcome.metrics['loss']).toBeCloseTo(losses.reduce((sum, loss) => sum + loss, 0) / 20, 9)
    expect(outcome.metrics).not.toHaveProperty('gradient_step')
  })

  test('continues from a recovery point to the same weights', async () => {
    const prepared = await prepare(Array.from('abcdefgh', (letter) => says(letter)))
    const session = newSession()
    const states: string[] = []
    const { hooks, positions } = recordHooks(() => states.push(JSON.stringify(session.state())))
    await train(prepared, session, { hooks, limits: { recoverySteps: 3, recoveryShare: 1 } })
    expect(positions.map(({ nextStep }) => nextStep)).toEqual([3])
    const resumed = TableSession.fromState(JSON.parse(states[0]!))
    await train(prepared, resumed, { position: positions[0]! })
    expect(resumed.state()).toEqual(session.state())
  })
})
