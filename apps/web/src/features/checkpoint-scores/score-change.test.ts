import { expect, test } from 'vitest'
import { scoreOfStep } from './score-change.tsx'

const points = [0, 3, 5].map((step) => ({ run: { step }, value: step / 10 }))

test('a score is compared with that of the last step before it that was measured', () => {
  expect(scoreOfStep(points, 5)).toEqual({ point: points[2], before: points[1] })
})

test('the first score has none before it, and a step that was not measured has no score', () => {
  expect(scoreOfStep(points, 0)).toEqual({ point: points[0] })
  expect(scoreOfStep(points, 4)).toEqual({})
})
