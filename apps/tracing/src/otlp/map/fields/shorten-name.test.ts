import { expect, test } from 'vitest'
import vectors from '../../../vectors/evaluation-v2-vectors.json' with { type: 'json' }
import { shortenName } from './shorten-name.ts'

const recorded = vectors.steps.flatMap((step) => ('shorten' in step ? [step] : []))

test('all recorded cases are found', () => {
  expect(recorded.length).toBe(14)
})

test.each(recorded)('$shorten is shortened to $max characters as recorded', ({ shorten, max, suffix, keep_delimiter, reference }) => {
  const limits = { maxLength: max ?? 0, suffix: suffix ?? '', keepsDelimiter: keep_delimiter ?? false }
  expect(shortenName(shorten ?? '', limits)).toBe(reference)
})
