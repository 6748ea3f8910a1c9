import { expect, test } from 'vitest'
import { drawBar, drawCurve, drawProgress } from './draw-progress.ts'

test.each([
  [0, '░░░░'],
  [0.5, '██░░'],
  [1, '████'],
  [7, '████'],
])('a share of %d is the bar %s', (share, bar) => {
  expect(drawBar(share, 4)).toBe(bar)
})

test('a curve goes from the lowest block to the highest, and is as long as its values or as it may be', () => {
  expect(drawCurve([0, 1, 2, 7], 10)).toBe('▁▂▃█')
  expect(drawCurve([3, 3], 10)).toBe('▁▁')
  expect(drawCurve([0, 0, 7, 7], 2)).toBe('▁█')
  expect(drawCurve([], 5)).toBe('')
})

test('a line shows how far a job is; one that trains nothing is done', () => {
  expect(drawProgress({ steps: 1, total: 2, losses: [0.123456], rewards: [] })).toBe(
    '██████████░░░░░░░░░░  1/2 gradient steps  loss 0.1235  ▁',
  )
  expect(drawProgress({ steps: 0, total: 0, losses: [], rewards: [] })).toBe('████████████████████  0/0 gradient steps')
})

test('a line of fine-tuning has the held-out loss, the speed and the time that is left', () => {
  const facts = { steps: 1, total: 2, losses: [2], rewards: [], heldOut: [2, 1], tokensPerSecond: 1234.5, leftMicros: 65_000_000 }
  expect(drawProgress(facts)).toBe('██████████░░░░░░░░░░  1/2 gradient steps  loss 2  ▁  held-out loss 1  █▁  1235 tokens/s  1 m 05 s left')
})

test('a line of a job of reinforcement learning has the rewards of the jobs before it', () => {
  const line = drawProgress({ steps: 1, total: 1, losses: [2, 1], rewards: [0.25, 0.5, 0.75] })
  expect(line).toBe('████████████████████  1/1 gradient steps  loss 1  █▁  reward 0.75  ▁▅█')
})
