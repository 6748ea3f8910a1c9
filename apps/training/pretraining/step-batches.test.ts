import { expect, test } from 'vitest'
import { specialTokenId } from './model-files/special-tokens.ts'
import { stepBatches } from './step-batches.ts'

const settings = { seed: 1, conversationsPerStep: 40, copySteps: 0, maxTokens: 200, batchTokens: 1024 }

test('the batches of a step follow from the seed and the step', () => {
  expect(stepBatches(settings, 7)).toEqual(stepBatches(settings, 7))
  expect(stepBatches(settings, 7)).not.toEqual(stepBatches(settings, 8))
  expect(stepBatches(settings, 7)).not.toEqual(stepBatches({ ...settings, seed: 2 }, 7))
})

test('a batch keeps within its tokens, filled up to the longest, and no conversation is longer than allowed', () => {
  const batches = stepBatches(settings, 1)
  expect(batches.flat()).toHaveLength(settings.conversationsPerStep)
  for (const batch of batches) {
    const longest = Math.max(...batch.map(({ tokens }) => tokens.length))
    expect(longest).toBeLessThanOrEqual(settings.maxTokens)
    expect(longest * batch.length).toBeLessThanOrEqual(settings.batchTokens)
  }
})

test('answers and the ends of them are scored, questions and headers are not', () => {
  for (const { tokens, scored } of stepBatches(settings, 1).flat()) {
    expect(scored).toHaveLength(tokens.length)
    expect(scored[0]).toBe(0)
    const ends = [...tokens].filter((token, index) => scored[index] === 1 && token === specialTokenId('<|im_end|>'))
    const answers = [...tokens].filter((token) => token === specialTokenId('<|im_start|>assistant\n'))
    expect(ends).toHaveLength(answers.length)
  }
})

test('a run begins with short conversations that copy', () => {
  const tokens = (copySteps: number) =>
    stepBatches({ ...settings, copySteps }, 3)
      .flat()
      .reduce((sum, each) => sum + each.tokens.length, 0)
  expect(tokens(4)).toBeLessThan(tokens(3) * 0.8)
})
