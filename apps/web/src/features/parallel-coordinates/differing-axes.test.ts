import { expect, test } from 'vitest'
import { maxTexts } from './axis-scale.ts'
import { differingAxes } from './differing-axes.ts'

test('only axes on which rows have different values are told of, and none of too many texts', () => {
  const rows = Array.from({ length: maxTexts + 1 }, (_, at) => ({
    id: String(at),
    name: String(at),
    values: new Map<string, number | string>([
      ['same', 1],
      ['number', at],
      ['text', String(at % 2)],
      ['prompt', `prompt ${at}`],
    ]),
  }))
  const offers = ['same', 'number', 'text', 'prompt', 'none'].map((id) => ({ id, name: id, group: 'all', text: String }))
  expect(differingAxes(rows, offers).map(({ id }) => id)).toEqual(['number', 'text'])
})
