import { stringifyJson } from '@heddle/json/exact'
import { expect, test } from 'vitest'
import { parseRows } from './parse-rows.ts'
import { decodeText, detectEncoding } from './text-encoding.ts'

const text = 'id;question\r\n1;Größe “x” 日本?\r\n'
const utf16 = (written: string, isLittle: boolean) =>
  Uint8Array.from(
    [...written]
      .flatMap((sign) => [sign.charCodeAt(0) & 0xff, sign.charCodeAt(0) >> 8])
      .flatMap((_, at, all) => all[isLittle ? at : at ^ 1]!),
  )

test.each([
  ['utf-8', new TextEncoder().encode(text)],
  ['utf-8', new TextEncoder().encode(`\uFEFF${text}`)],
  ['utf-16le', utf16(`\uFEFF${text}`, true)],
  ['utf-16be', utf16(`\uFEFF${text}`, false)],
  ['utf-16le', utf16(text, true)],
  ['utf-16be', utf16(text, false)],
] as const)('%s is detected, and the text read without its mark', (encoding, bytes) => {
  expect(detectEncoding(bytes)).toBe(encoding)
  expect(decodeText(bytes, encoding)).toEqual({ text, unread: 0 })
})

test('bytes that are not UTF-8 are taken for Windows-1252, which reads Latin-1 too', () => {
  const bytes = Uint8Array.from([...'id,question\r\n1,Gr\u00f6\u00dfe'].map((sign) => sign.charCodeAt(0)))
  expect(detectEncoding(bytes)).toBe('windows-1252')
  expect(decodeText(bytes, 'windows-1252')).toEqual({ text: 'id,question\r\n1,Größe', unread: 0 })
})

test('bytes that an encoding has no character for are counted, and U+FFFD of the file is not', () => {
  const bytes = Uint8Array.from([...new TextEncoder().encode('a\uFFFD'), 0xe4, 0x2c])
  expect(decodeText(bytes, 'utf-8').unread).toBe(1)
})

test.each([
  ['utf-16le', utf16('\uFEFF{"id":9007199254740993,"text":"\u65e5\u672c"}\r\n', true)],
  ['utf-16be', utf16('{"id":9007199254740993,"text":"\u65e5\u672c"}\n', false)],
  ['utf-8', new TextEncoder().encode('\uFEFF{"id":9007199254740993,"text":"\u65e5\u672c"}\n')],
] as const)('rows of JSON lines in %s are read with their digits', (encoding, bytes) => {
  expect(detectEncoding(bytes)).toBe(encoding)
  const parsed = parseRows('rows.jsonl', decodeText(bytes, encoding).text)
  expect(parsed.status === 'parsed' && stringifyJson(parsed.rows)).toBe('[{"id":9007199254740993,"text":"\u65e5\u672c"}]')
})
