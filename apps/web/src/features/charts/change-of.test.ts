import { expect, test } from 'vitest'
import { changeOf } from './change-of.ts'

test.each([
  [108.4, 100, 'share', { value: 0.084, text: '8.4%' }],
  [90, 100, 'share', { value: -0.1, text: '10%' }],
  [908, 2, 'share', { value: 453, text: '454×' }],
  [100, 100, 'share', { value: 0, text: '0%' }],
  [0.017, 0.011, 'points', { value: 0.006, text: '0.6 pp' }],
  [0.01, 0, 'points', { value: 0.01, text: '1 pp' }],
] as const)('%d after %d as %s', (now, before, as, change) => expect(changeOf(now, before, as)).toEqual(change))

test('a figure without one before it has no change', () => {
  expect(changeOf(1, 0)).toBeUndefined()
  expect(changeOf(null, 1)).toBeUndefined()
  expect(changeOf(1, null)).toBeUndefined()
  expect(changeOf(1, undefined)).toBeUndefined()
})
