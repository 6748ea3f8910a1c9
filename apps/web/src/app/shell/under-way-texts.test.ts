import { expect, test } from 'vitest'
import { countOf, textOf, type UnderWay } from './under-way-texts.ts'

test.each<[keyof UnderWay, number, string | undefined, string]>([
  ['runs', 1, undefined, '1 evaluation is running'],
  ['runs', 2, undefined, '2 evaluations are running'],
  ['jobs', 1, undefined, 'Training is running'],
  ['items', 1, '1', '1 item left for you'],
  ['items', 999, '999', '999 items left for you'],
  ['items', 1_000, '999+', '999+ items left for you'],
])('%s: %d are shown as %s and read as "%s"', (what, count, shown, text) =>
  expect([countOf(what, count), textOf(what, count)]).toEqual([shown, text]),
)
