import { expect, test } from 'vitest'
import { mentionAt, namesFor, withMention } from './mention-at.ts'

/** `|` is the cursor. */
const at = (text: string) => mentionAt(text.replace('|', ''), text.indexOf('|'))

test.each([
  ['@|', { from: 0, typed: '' }],
  ['Ask @an|na', { from: 4, typed: 'an' }],
  ['(@Ada Love|', { from: 1, typed: 'Ada Love' }],
  ['line\n@bo|', { from: 5, typed: 'bo' }],
  ['@[ann|', { from: 0, typed: 'ann' }],
  ['ann@host|', undefined],
  ['@[ann] |', undefined],
  ['meet @ noon|', undefined],
  ['@ann\nthen|', undefined],
  ['@@|', undefined],
  ['no|', undefined],
])('what is typed of a mention at the cursor of %j is %j', (text, typed) => expect(at(text)).toEqual(typed))

test('names that begin with what is typed come before those that contain it', () => {
  expect(namesFor('AN', ['Joanna', 'ann', 'Bob', 'Anders'])).toEqual(['ann', 'Anders', 'Joanna'])
})

test('at most eight names are offered, and none that no mention can hold', () => {
  const many = Array.from({ length: 20 }, (_, at) => `user ${at}`)
  expect(namesFor('', ['a\nb', '', 'x'.repeat(129), ...many])).toEqual(many.slice(0, 8))
})

test.each([
  ['Ask @an|', 'Ask @[ann] |'],
  ['Ask @an| now', 'Ask @[ann] |now'],
  ['@|', '@[ann] |'],
  ['Ask @[an|, please', 'Ask @[ann] |, please'],
])('in %j the name is written: %j', (before, after) => {
  const cursor = before.indexOf('|')
  const text = before.replace('|', '')
  const written = withMention(text, { at: mentionAt(text, cursor)!, cursor, name: 'ann' })
  expect(`${written.text.slice(0, written.cursor)}|${written.text.slice(written.cursor)}`).toBe(after)
})
