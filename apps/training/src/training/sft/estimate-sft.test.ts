import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestTokenizer } from '../../sequences/testing/test-tokenizer.ts'
import { aTableModel, never } from '../testing/table-rollouts.ts'
import { estimateSft } from './estimate-sft.ts'
import { planEpochs } from './plan-epochs.ts'
import { prepareSft } from './prepare-sft.ts'

const tokenizer = createTestTokenizer()
const dpo = { beta: 0.1, label_smoothing: 0, reference: 'start' as const }
const conversation = JSON.stringify({
  messages: [
    { role: 'user', content: 'q' },
    { role: 'assistant', content: 'a' },
  ],
})
const pair = JSON.stringify({ prompt: 'q', chosen: 'yes', rejected: 'no' })

test('an estimate has the learning rate, the held-out examples and the steps of the job', async () => {
  const configs = fc.record({
    batch_size: fc.constantFrom(null, 'auto' as const, 1, 2, 5),
    epochs: fc.constantFrom(null, 1, 3),
    held_out: fc.constantFrom(null, 0, 0.01, 0.2, 0.5),
    learning_rate: fc.constantFrom(null, 0.02),
    dpo: fc.constantFrom(null, dpo),
  })
  await fc.assert(
    fc.asyncProperty(configs, fc.integer({ min: 1, max: 20 }), async (config, examples) => {
      const lines = Array.from({ length: examples }, () => (config.dpo ? pair : conversation))
      const { batches, heldOut } = planEpochs(await prepareSft({ lines, config, model: aTableModel, tokenizer, signal: never }), 1)
      expect(estimateSft(config, { examples, learningRates: aTableModel.learningRates })).toEqual({
        learningRate: batches[0]!.learningRate,
        heldOut: heldOut.length,
        steps: batches.length,
      })
    }),
  )
})

test('steps that tokens fill are not known before the examples are tokenized', () => {
  const { learningRates } = aTableModel
  expect(estimateSft({ packed_sequence_length: 64 }, { examples: 10, learningRates })).toMatchObject({ steps: null, heldOut: 0 })
})
