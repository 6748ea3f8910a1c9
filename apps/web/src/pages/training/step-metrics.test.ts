import type { TrainingEvent } from '@heddle/core-api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupCurves, smooth, stepsOf, thin } from './step-metrics.ts'

const anEvent = (type: TrainingEvent['type'], data: Record<string, unknown>): TrainingEvent => ({
  id: 'event',
  type,
  data,
  created_at: '2026-11-10T12:00:00.000Z',
})

test('gradient steps are counted from 1, and values that are not numbers are left out', () => {
  const steps = stepsOf([
    anEvent('training_started', { num_sequences: 2 }),
    anEvent('gradient_step', { loss: 2, reward: 0.5, note: 'text', infinite: Infinity }),
    anEvent('gradient_step', { loss: 1 }),
    anEvent('training_ended', {}),
  ])
  expect(steps.map(({ step, values }) => [step, Object.fromEntries(values)])).toEqual([
    [1, { loss: 2, reward: 0.5 }],
    [2, { loss: 1 }],
  ])
  expect(groupCurves(steps)).toEqual([
    { title: 'Reward', curves: [{ name: 'reward', points: [{ step: 1, value: 0.5 }] }] },
    {
      title: 'Loss',
      curves: [
        {
          name: 'loss',
          points: [
            { step: 1, value: 2 },
            { step: 2, value: 1 },
          ],
        },
      ],
    },
  ])
})

test('an average of equal values is that value from the first on', () => {
  for (const value of smooth([3, 3, 3], 0.8)) expect(value).toBeCloseTo(3)
  expect(smooth([1, 2], 0)).toEqual([1, 2])
})

test('thinning keeps the bound, the last step and every extreme', () => {
  const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 500 })
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 50 }), (all, count) => {
      const points = all.map((value, at) => ({ step: at + 1, value }))
      const thinned = thin(points, count)
      expect(thinned.length).toBeLessThanOrEqual(count)
      expect(thinned.at(-1)?.step).toBe(all.length)
      expect(Math.max(...thinned.map(({ high }) => high))).toBe(Math.max(...all))
      expect(Math.min(...thinned.map(({ low }) => low))).toBe(Math.min(...all))
    }),
  )
})
