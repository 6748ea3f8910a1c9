import { expect, test } from 'vitest'
import { readSetUp, toTyped, usualSetUp } from './queue-set-up.ts'

test('what is typed is the set-up, and that of a queue is typed as it is', () => {
  expect(readSetUp({ reviewers: ' 3 ', minutes: '1440', order: 'random' })).toEqual({
    reviewers_per_item: 3,
    reservation_minutes: 1_440,
    item_order: 'random',
  })
  expect(readSetUp(toTyped(usualSetUp))).toEqual(usualSetUp)
})

test.each(['', '0', '21', '-1', '1.5', '1e1', 'two'])('%j reviewers are refused', (reviewers) => {
  expect(readSetUp({ reviewers, minutes: '10', order: 'oldest' })).toMatch(/^Reviewers/)
})

test.each(['', '0', '1441', '0x10'])('a reservation of %j minutes is refused', (minutes) => {
  expect(readSetUp({ reviewers: '1', minutes, order: 'oldest' })).toMatch(/^The reservation/)
})
