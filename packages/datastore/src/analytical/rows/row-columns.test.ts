import { expect, test } from 'vitest'
import { knownRowColumns, readRowColumns, rowColumns } from './row-columns.ts'
import { everyType } from '../testing/every-type.ts'

const names = Object.keys(everyType.columns)

test('rows declare their JSON as paths with values, and are inserted by column name', () => {
  const columns = rowColumns(everyType)
  expect(columns.filter((column) => !names.includes(column))).toEqual(['document:leaves'])
  expect(readRowColumns(columns)).toEqual({ names, jsonIsText: false })
})

test('rows of an older version have JSON as text', () => {
  expect(readRowColumns(names)).toEqual({ names, jsonIsText: true })
  expect(knownRowColumns(everyType)).toEqual([rowColumns(everyType), names])
})

test('rows of an older version may lack columns', () => {
  const without = (list: readonly string[]) => list.filter((name) => name !== 'numbers')
  const columns = rowColumns(everyType)
  expect(knownRowColumns({ ...everyType, added: ['numbers'] })).toEqual([columns, names, without(columns), without(names)])
})
