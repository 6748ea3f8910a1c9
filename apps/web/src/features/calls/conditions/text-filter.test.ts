import { expect, test } from 'vitest'
import { parseFilter, toFilterOperation } from '../../filter/parse-filter.ts'
import { filterWithText, textFilter } from './text-filter.ts'

const found = (path: string, $literal: string) => ({
  $contains: { input: { $getField: path }, substr: { $literal }, case_insensitive: true },
})
const paths = ['display_name', 'op_name', 'attributes.otel_span.name', 'inputs', 'output', 'exception']

test('a text is searched for in names, inputs, outputs and errors', () => {
  expect(toFilterOperation(textFilter('Oslo'))).toEqual({ $or: paths.map((path) => found(path, 'Oslo')) })
})

test('a text that JSON writes in another way is searched for in both in payloads', () => {
  const json = [found('inputs', 'say \\"hi\\"'), found('output', 'say \\"hi\\"')]
  expect(toFilterOperation(textFilter('say "hi"'))).toEqual({ $or: [...paths.map((path) => found(path, 'say "hi"')), ...json] })
})

test.each([[undefined], ['a = 1 or b = 2']])('beside the filter %j it is typed as a filter that says the same', (filter) => {
  const typed = filterWithText(filter, 'say "hi"') ?? ''
  const text = toFilterOperation(textFilter('say "hi"'))
  expect(toFilterOperation(parseFilter(typed))).toEqual(
    filter === undefined ? text : { $and: [toFilterOperation(parseFilter(filter)), text] },
  )
  expect(filterWithText(filter, undefined)).toBe(filter)
})
