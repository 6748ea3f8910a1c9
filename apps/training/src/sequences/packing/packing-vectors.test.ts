import { describe, expect, test } from 'vitest'
import { firstDifference, isClose, vectors } from '../../objective/testing/objective-vectors.ts'
import { prepareRl } from '../../training/rl/prepare-rl.ts'
import { createTestTokenizer } from '../testing/test-tokenizer.ts'
import { automaticRowLength } from './row-length.ts'
import { layoutRow, type RowLayout } from './testing/row-layout.ts'

/** A history of the vectors, as the choices that carry its tokens. */
function toElements({ ids, mask, logprobs }: { ids: number[]; mask: number[]; logprobs: (number | null)[] }) {
  const turns = []
  for (let at = 0; at < ids.length; at++) {
    if (mask[at] === 0 || mask[at - 1] === 1) continue
    const after = mask.indexOf(0, at)
    const end = after === -1 ? ids.length : after
    turns.push({
      finish_reason: 'stop',
      message: { content: '' },
      logprobs: { content: logprobs.slice(at, end).map((logprob) => ({ token: '', logprob: logprob! })) },
      token_ids: ids.slice(at, end),
      prompt_token_ids: ids.slice(0, at),
    })
  }
  return turns
}

async function packed(row: (typeof vectors.packing)[number]): Promise<RowLayout[]> {
  const groups = row.groups.map((trajectories) => ({
    trajectories: trajectories.map(({ reward, histories: [main, ...additional] }) => ({
      reward,
      messages_and_choices: toElements(main!),
      additional_histories: additional.map((history) => ({ messages_and_choices: toElements(history) })),
    })),
  }))
  const config = {
    packed_sequence_length: row.row_length,
    logprob_calculation_chunk_size: 1,
    scale_rewards: row.scale_rewards,
    advantage_balance: row.advantage_balance,
  }
  const model = { id: 'model-a', contextLength: 32, learningRates: { rl: 1e-3, sft: 1e-3 } }
  const { rows } = await prepareRl({ ...inOrder, groups, config, model, tokenizer: createTestTokenizer({ vocabularySize: 100 }) })
  return rows.map(layoutRow)
}

const inOrder = { step: 0, deviations: [], seed: null, isTrainedModel: () => true, signal: new AbortController().signal }

describe.each(vectors.packing)('packing $name', (row) => {
  test('the rows, and each of their arrays', async () => {
    const rows = await packed(row)
    expect(rows).toHaveLength(row.expect.num_sequences)
    for (const [at, expected] of row.expect.rows.entries()) {
      const { advantages, weights, old_logprobs: old, ...exact } = rows[at]!
      const { advantages: _, weights: __, old_logprobs: ___, ...expectedExact } = expected
      expect(exact).toEqual(expectedExact)
      expect(old).toEqual(expected.old_logprobs)
      expect(firstDifference(advantages, expected.advantages)).toBeNull()
      expect(firstDifference(weights, expected.weights)).toBeNull()
    }
  })

  test('what shares a prompt still sees the same tokens as alone', async () => {
    const rows = await packed(row)
    const whole = row.groups.flat().flatMap(({ histories }) => histories.map(({ ids }) => ids.slice(0, row.row_length).join()))
    for (const layout of rows) for (const tokens of wholeSequences(layout)) expect(whole).toContain(tokens.join())
  })
})

/** Each sequence of a row with the prompt that it sees, by their positions. */
function wholeSequences({ ids, positions, segment, prompt_segment: prompt }: RowLayout): number[][] {
  const own = [...new Set(segment)].filter((id) => !prompt.some((promptId, at) => promptId === id && segment[at] === id))
  return own.map((id) => {
    const places = ids.flatMap((_, at) => (segment[at] === id || segment[at] === prompt[segment.indexOf(id)] ? [at] : []))
    return places.sort((a, b) => positions[a]! - positions[b]!).map((at) => ids[at]!)
  })
}

test.each(vectors.packed_length)('a longest sequence of $longest makes rows of $length', ({ longest, max, length }) => {
  expect(isClose(automaticRowLength({ longest, most: max, chunkSize: null }), length)).toBe(true)
})
