import { expect, test } from 'vitest'
import { pathsOf } from './line-paths.ts'

const box = { range: { low: 0, high: 10 }, height: 108 }

test('a line goes through the middle of each part, from the bottom to the top', () => {
  expect(pathsOf([0, 10, 5], box)).toEqual({ line: 'M 0.5 104 L 1.5 4 L 2.5 54', dots: 'M 0.5 104 h 0 M 1.5 4 h 0 M 2.5 54 h 0' })
})

test('a part without a value breaks it', () => {
  expect(pathsOf([null, 0, null, 10, 10], box).line).toBe('M 1.5 104 M 3.5 4 L 4.5 4')
})

test('a value that never changes is drawn in the middle, and none at all as nothing', () => {
  expect(pathsOf([3], { ...box, range: { low: 3, high: 3 } }).dots).toBe('M 0.5 54 h 0')
  expect(pathsOf([null], box)).toEqual({ line: '', dots: '' })
})
