import { expect, test } from 'vitest'
import { createEncodingDetector, decodeText, detectEncoding } from './text-encoding.ts'

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

test('a file without a byte is UTF-8', () => {
  expect(detectEncoding(new Uint8Array())).toBe('utf-8')
})

test('bytes that are not UTF-8 are treated as Windows-1252, which reads Latin-1 too', () => {
  const bytes = Uint8Array.from([...'id,question\r\n1,Gr\u00f6\u00dfe \u0093x\u0094'].map((sign) => sign.charCodeAt(0)))
  expect(detectEncoding(bytes)).toBe('windows-1252')
  expect(decodeText(bytes, 'windows-1252')).toEqual({ text: 'id,question\r\n1,Größe “x”', unread: 0 })
})

test('bytes that an encoding has no character for are counted, and U+FFFD of the file is not', () => {
  const bytes = Uint8Array.from([...new TextEncoder().encode('a\uFFFD'), 0xe4, 0x2c])
  expect(decodeText(bytes, 'utf-8').unread).toBe(1)
})

test('the pieces in which a file is read do not change its encoding', () => {
  const written = [
    new TextEncoder().encode(text.repeat(4000)),
    utf16(text.repeat(4000), true),
    Buffer.concat([new TextEncoder().encode(text.repeat(4000)), Uint8Array.of(0xe4)]),
  ]
  for (const bytes of written)
    for (const size of [3, 1021, 100_000]) {
      const detector = createEncodingDetector()
      for (let at = 0; at < bytes.length; at += size) detector.add(bytes.subarray(at, at + size))
      expect(detector.end()).toBe(detectEncoding(bytes))
    }
  expect(written.map(detectEncoding)).toEqual(['utf-8', 'utf-16le', 'windows-1252'])
})
