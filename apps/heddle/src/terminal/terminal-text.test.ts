import fc from 'fast-check'
import { expect, test } from 'vitest'
import { escapeUnseen, shorten, toTerminalLines, toTerminalText } from './terminal-text.ts'

test.each([
  ['colour', '\u001b[31mred\u001b[0m', 'red'],
  ['a window title', '\u001b]0;owned\u0007text', 'text'],
  ['a link', '\u001b]8;;http://evil\u001b\\click\u001b]8;;\u001b\\', 'click'],
  ['a device string', '\u001bPq#0\u001b\\after', 'after'],
  ['eight-bit forms', '\u009b31mred\u009d0;t\u009cx', 'redx'],
  ['an unfinished sequence', 'end\u001b[3', 'end'],
  ['a reset', '\u001bcnew', 'new'],
  ['cursor movement', 'a\rb\bc', 'a bc'],
  ['lines', 'one\ntwo\r\n\tthree', 'one two three'],
  ['a bell and a null', 'a\u0007b\u0000c', 'abc'],
  ['turned text', 'abc\u202edef\u2066', 'abcdef'],
  ['every mark of writing direction', '\u061ca\u200eb\u200fc\u202ad\u202be\u202cf\u202dg\u202eh\u2066i\u2067j\u2068k\u2069', 'abcdefghijk'],
  ['tag characters', 'a\u{e0041}b', 'ab'],
  ['ordinary text of any script', 'größe 日本 👍🏽', 'größe 日本 👍🏽'],
])('%s is made safe', (_case, text, expected) => {
  expect(toTerminalText(text)).toBe(expected)
})

test('nothing that controls a terminal is left, whatever comes', () => {
  const hostile = fc.string({
    unit: fc.oneof(fc.constantFrom('\u001b', '\u009b', '[', ']', 'P', '\\', '\u0007', ';', '3', 'm', '\u009c'), fc.string()),
  })
  fc.assert(fc.property(hostile, (text) => !/[\p{Cc}\u202a-\u202e]/u.test(toTerminalText(text))))
})

test('a long text ends in a mark', () => {
  expect(shorten('abc', 3)).toBe('abc')
  expect(shorten('abcd', 3)).toBe('ab…')
  expect(shorten('👍👍👍', 2)).toBe('👍…')
})

test('text of several lines keeps its lines and tabs, and loses everything else that one line loses', () => {
  expect(toTerminalLines('a\u202eb\r\n\tc\u001b[31md\u0007\n')).toBe('ab\n\tcd\n')
  fc.assert(
    fc.property(fc.string({ unit: fc.oneof(fc.constantFrom('\n', '\u001b', '\u202e', '\u2066', '[', 'm'), fc.string()) }), (text) => {
      for (const line of toTerminalLines(text).split('\n')) expect(toTerminalText(line)).toBe(line.replaceAll('\t', ' '))
    }),
  )
})

test('JSON keeps its value, and holds nothing that a terminal obeys or does not show', () => {
  const unit = fc.oneof(fc.constantFrom('\u007f', '\u009b', '\u061c', '\u202e', '\u2066', '\u{e0041}', '\\', '"', '\n'), fc.string())
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit }), fc.string({ unit })), (value) => {
      const escaped = escapeUnseen(JSON.stringify(value, null, 2))
      expect(JSON.parse(escaped)).toEqual(value)
      expect(escaped.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u)
    }),
  )
})
