import { expect, test } from 'vitest'
import { collectTensors } from './collect-tensors.ts'
import { createTable, TableSession } from './testing/table-policy.ts'
import { aRollout, never, prepare, recordHooks, scoreTables, version } from './testing/table-rollouts.ts'
import { type RowTensors, trainRl } from './rl/train-rl.ts'

async function artifactOf(groups: Parameters<typeof prepare>[0]) {
  const prepared = await prepare(groups, { plot_tensors: true, packed_sequence_length: 64, logprob_calculation_chunk_size: 64 })
  const session = new TableSession(createTable(2))
  const { score } = scoreTables({})
  const tensors = collectTensors()
  const fixed = { score, start: version('start'), reference: null, position: null, signal: never, hooks: recordHooks().hooks }
  await trainRl({ ...fixed, prepared, session, onTensors: tensors.add })
  return tensors.artifact()
}

const pair = (tokens: readonly number[]) => ({
  trajectories: [1, 0].map((reward) => aRollout({ prompt: [0], tokens, logprobs: tokens.map(() => -1), reward })),
})

test('plotted tensors tell what the loss made of each token', async () => {
  const { rows, rows_left_out } = await artifactOf([pair([1])])
  expect(rows_left_out).toBe(0)
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({ row: 0, learning_rate: 0.05 })
  expect(rows[0]!.sequences[0]).toEqual({
    group: 0,
    ids: [0, 1],
    mask: [0, 1],
    old_logprobs: [null, -1],
    new_logprobs: [null, expect.closeTo(Math.log(0.5), 6)],
    reference_logprobs: null,
    advantages: [null, expect.closeTo(1, 6)],
    weights: [null, expect.closeTo(1, 6)],
    ratios: [null, expect.closeTo(Math.E / 2, 6)],
    coefficients: [null, expect.closeTo(-Math.E / 4, 6)],
  })
  expect(JSON.parse(JSON.stringify(rows))).toEqual(rows)
})

test('plotted tensors are bounded, and rows beyond are counted', () => {
  const tensors = collectTensors()
  for (const index of [0, 1, 2, 3]) tensors.add(aLongRow(index, 20_000))
  const { rows, rows_left_out } = tensors.artifact()
  expect(rows.map(({ row }) => row)).toEqual([0, 1])
  expect(rows_left_out).toBe(2)
})

function aLongRow(index: number, length: number): RowTensors {
  const values = new Float64Array(length)
  const mask = new Uint8Array(length)
  const sequence = {
    tokens: new Int32Array(length),
    mask,
    logProbabilities: values,
    group: 0,
    promptLength: 0,
    trajectoryTokens: 1,
    advantage: 1,
    weight: 1,
  }
  const tokens = { mask, now: values, old: values, reference: null, original: null, advantages: values, weights: values }
  const objective = { loss: 0, coefficients: values, losses: values, advantages: values, levelRatios: values, ratios: values }
  return { index, row: { sequences: [sequence], length, share: 1, learningRate: 1 }, sequences: [{ tokens, objective }] }
}
