import { describe, expect, test } from 'vitest'
import { fillDense, TensorError, TensorShapes } from './tensors.ts'

describe('the shapes of tensors', () => {
  test('have no columns with one dimension, and theirs with two', () => {
    const shapes = new TensorShapes()
    expect([[], [7], [7, 20], [0, 1]].map((shape) => shapes.columnsOf('t', shape, false))).toEqual([undefined, undefined, 20, 1])
  })

  test.each<[number[], boolean, string]>([
    [[1, 2, 3], false, 't has 3 dimensions (1 x 2 x 3); at most two are possible'],
    [[7], true, 't is sparse and has 1 dimensions; it must have two'],
    [[7, 0], false, 't has 7 rows of 0 numbers; rows of 1 to 1024 numbers are possible'],
    [[7, 1_025], true, 't has 7 rows of 1025 numbers'],
    [[-7, 2], true, 't has -7 rows of 2 numbers'],
  ])('%j are refused (sparse: %s)', (shape, isSparse, reason) => {
    expect(() => new TensorShapes().columnsOf('t', shape, isSparse)).toThrow(reason)
  })

  test('of a request have a bound together, since sparse ones take few bytes on the way', () => {
    const shapes = new TensorShapes()
    for (let tensor = 0; tensor < 8; tensor++) shapes.columnsOf('t', [1_024, 1_024], true)
    expect(() => shapes.columnsOf('t', [1, 1], true)).toThrow('the tensors with rows have more than 8388608 numbers')
  })
})

describe('sparse rows', () => {
  const rows = { values: Int32Array.of(7, 8, 9), offsets: [0, 1, 1, 3], columns: [2, 0, 1], shape: [3, 3] }

  test('are 0 where nothing is given', () => {
    expect([...fillDense('t', rows, new Int32Array(9))]).toEqual([0, 0, 7, 0, 0, 0, 8, 9, 0])
  })

  test.each([
    ['fewer offsets', { offsets: [0, 1, 3] }],
    ['offsets that fall', { offsets: [0, 2, 1, 3] }],
    ['offsets beyond the values', { offsets: [0, 1, 1, 4] }],
    ['a first offset above 0', { offsets: [1, 1, 1, 3] }],
    ['fewer columns', { columns: [2, 0] }],
    ['a column beyond the rows', { columns: [2, 0, 3] }],
    ['a column below 0', { columns: [-1, 0, 1] }],
  ])('with %s are refused', (_, change) => {
    expect(() => fillDense('t', { ...rows, ...change }, new Int32Array(9))).toThrow(TensorError)
  })
})
