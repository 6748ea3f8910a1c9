import { parseExactJson } from '@heddle/json/exact'
import { expect, test } from 'vitest'
import { findRows, textOfRow } from './find-rows.ts'
import { addRows, changeRow, noEdits } from './row-edits.ts'

test('a row is searched by its values at any depth, and not by the names of its columns', () => {
  const row = parseExactJson(
    '{"Question":"Is it\\n\\"Open\\"?","meta":{"tags":["A","b"],"ok":true,"none":null},"order":12345678901234567890,"score":1.0}',
  )
  expect(textOfRow(row).split('\n')).toEqual(['is it', '"open"?', 'a', 'b', 'true', 'null', '12345678901234567890', '1.0'])
})

const rows = [{ text: 'A refund' }, { text: 'A parcel' }, { text: 'No REFUND' }]
const texts = rows.map(textOfRow)

test('rows are found whatever the case of the text, and spaces around it', () => {
  expect([...findRows(texts, noEdits, 3, ' Refund ')]).toEqual([0, 2])
  expect([...findRows(texts, noEdits, 3, 'invoice')]).toEqual([])
})

test('rows that are changed or added but not saved are found by their new values', () => {
  const edits = addRows(changeRow(changeRow(noEdits, 0, { text: 'An invoice' }), 1, { text: 'Refunded' }), [{ text: 'A refund' }])
  expect([...findRows(texts, edits, 3, 'refund')]).toEqual([1, 2, 3])
})

test('of a version of which only the first rows are read, later ones are found where they are changed', () => {
  const edits = changeRow(noEdits, 2, { text: 'A refund' })
  expect([...findRows(texts.slice(0, 1), edits, 3, 'refund')]).toEqual([0, 2])
})
