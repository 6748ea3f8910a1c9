import { expect, test } from 'vitest'
import { createTestTokenizer } from '../../sequences/testing/test-tokenizer.ts'
import { createTable, scoreWithTable, TableSession } from '../testing/table-policy.ts'
import { aTableModel, never, recordHooks, scoreTables, version } from '../testing/table-rollouts.ts'
import { planEpochs } from './plan-epochs.ts'
import { prepareSft } from './prepare-sft.ts'
import type { SftConfig } from './sft-config.ts'
import { trainSft } from './train-sft.ts'

const tokenizer = createTestTokenizer()
const dpo = { beta: 0.5, label_smoothing: 0, reference: 'start' as const }
const pair = (chosen: string, rejected: string) => JSON.stringify({ prompt: 'q', chosen, rejected })
const lines = [pair('yes', 'no'), pair('yea', 'nay'), pair('yep', 'nope')]

const plan = async (given: readonly string[], config: SftConfig = {}) =>
  planEpochs(await prepareSft({ lines: given, config: { dpo, ...config }, model: aTableModel, tokenizer, signal: never }), 1)

async function train(config: SftConfig, limits = {}, given = lines) {
  const session = new TableSession(createTable(131))
  const start = createTable(131)
  const { score, asked } = scoreTables({ start })
  const { hooks, steps } = recordHooks()
  const prepared = await plan(given, { learning_rate: 0.1, ...config })
  await trainSft({ prepared, session, position: null, signal: never, hooks, limits, reference: { score, version: version('start') } })
  return { session, start, steps, prepared, asked }
}

test('training raises the log-probability of what was chosen against what was rejected, and reports the rewards', async () => {
  const { session, start, steps, prepared, asked } = await train({ batch_size: 3, epochs: 10 })
  expect(steps[0]!.metrics).toMatchObject({
    loss: expect.closeTo(Math.log(2), 6),
    'rewards/chosen': 0,
    'rewards/rejected': 0,
    'rewards/margins': 0,
    'rewards/accuracies': 0,
    num_trajectories: 3,
  })
  const last = steps.at(-1)!.metrics
  expect(last['loss']).toBeLessThan(0.3)
  expect(last['rewards/accuracies']).toBe(1)
  expect(last['rewards/margins']).toBeCloseTo(last['rewards/chosen']! - last['rewards/rejected']!, 5)
  const [first] = prepared.batches[0]!.sequences
  const sumOf = (table: typeof start, { tokens, labels }: { tokens: Int32Array; labels: Uint8Array }) =>
    scoreWithTable(table, [{ tokens, scored: labels }]).logProbabilities[0]!.reduce((sum, value) => sum + value, 0)
  const change = (sequence: typeof first & object) => sumOf(session.table, sequence) - sumOf(start, sequence)
  expect(change(first!) - change(first!.rejected as NonNullable<typeof first>)).toBeGreaterThan(1)
  expect(new Set(asked)).toEqual(new Set(['start']))
})

test('a last batch of fewer pairs uses a share of the rate by its number of pairs, however long these are', async () => {
  const long = [pair('yes', 'no'), pair('y'.repeat(40), 'no'), pair('yep', 'nope')]
  expect((await plan(long, { batch_size: 2 })).batches.map(({ share }) => share)).toEqual([1, 0.5])
})

test('pairs have a tenth of the rate for rewards, unless the config has one', async () => {
  const rateOf = async (config: SftConfig) => (await plan(lines, config)).batches[0]!.learningRate
  expect(await rateOf({})).toBeCloseTo(aTableModel.learningRates.rl / 10, 12)
  expect(await rateOf({ learning_rate: 0.3 })).toBe(0.3)
})

test('the gradient is the same however many pairs go to the engine at a time', async () => {
  const [together, apart] = [await train({ batch_size: 3 }), await train({ batch_size: 3 }, { tokensAtATime: 1 })]
  expect(apart.session.table.logits).toEqual(together.session.table.logits)
  expect(apart.session.forwards).toBe(3)
  expect(together.session.forwards).toBe(1)
})

test('a long rejected completion counts towards the tokens that go to the engine at a time, and that fill a step', async () => {
  const given = ['a', 'b', 'c'].map((chosen) => pair(chosen, 'x'.repeat(30)))
  const { rejected } = (await plan(given)).batches[0]!.sequences[0]!
  const one = 2 * rejected!.tokens.length - 1
  expect((await train({ batch_size: 3 }, { tokensAtATime: one }, given)).session.forwards).toBe(3)
  expect((await plan(given, { packed_sequence_length: one })).batches).toHaveLength(3)
  expect((await plan(given, { packed_sequence_length: 3 * one })).batches).toHaveLength(1)
})

test('the completions alone are learned, not what the assistant said in the prompt', async () => {
  const said = [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b' },
    { role: 'user', content: 'c' },
  ]
  const answer = (content: string) => ({ role: 'assistant', content })
  const forms = [
    { prompt: said, chosen: 'd', rejected: 'e' },
    { prompt: said, chosen: [answer('d')], rejected: answer('e') },
    { chosen: [...said, answer('d')], rejected: [...said, answer('e')] },
    { input: { messages: said }, preferred_output: [answer('d')], non_preferred_output: [answer('e')] },
  ]
  const { batches } = await plan(
    forms.map((form) => JSON.stringify(form)),
    { batch_size: 4 },
  )
  for (const { learnedTexts, rejected } of batches[0]!.sequences) {
    expect(learnedTexts).toEqual(['d</>'])
    expect(rejected!.learnedTexts).toEqual(['e</>'])
  }
})

test('pairs with a completion that is too long are dropped', async () => {
  const { dropped, notes, metrics } = await plan([pair('a', 'b'.repeat(100)), pair('a', 'b')])
  expect([dropped, metrics]).toEqual([1, { num_trajectories: 1, num_dropped_trajectories: 1 }])
  expect(notes).toEqual([
    '1 preference pair was longer than the 64 tokens of table and dropped (the longest has 120): shorten them, or train from a base model with a longer context',
  ])
})

test('pairs that are all too long fail the job, which names the longest and the limit', async () => {
  await expect(plan([pair('a', 'b'.repeat(100)), pair('c'.repeat(70), 'd')])).rejects.toThrow(
    'everything is too long: 2 of 2 preference pairs are longer than the 64 tokens of table (the longest has 120); shorten them, or train from a base model with a longer context',
  )
})

test.each([
  ['{', 'is not a JSON object'],
  [JSON.stringify({ prompt: 'q', chosen: 'a' }), 'has no `rejected`'],
  [JSON.stringify({ prompt: [{ content: 'q' }], chosen: 'a', rejected: 'b' }), 'has no `role` in its message 0 of `prompt`'],
  [JSON.stringify({ chosen: 'a', rejected: 'b' }), 'has no `prompt`, and its `chosen` and `rejected` do not begin with the same messages'],
  [
    JSON.stringify({ prompt: 'q', chosen: [{ role: 'user', content: 'a' }], rejected: 'b' }),
    'ends `chosen` with a message of role "user"; the last must be of the assistant',
  ],
  [JSON.stringify({ input: {}, preferred_output: [], non_preferred_output: [] }), 'has no `input.messages`'],
])('the line %s is refused with its number', async (line, reason) => {
  await expect(plan([pair('a', 'b'), '', line])).rejects.toThrow(`line 3 of the training data ${reason}`)
})
