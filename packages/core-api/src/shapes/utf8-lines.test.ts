import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readUtf8Lines } from './utf8-lines.ts'

async function* inChunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
}

async function linesOf(bytes: Uint8Array, size = 7): Promise<string[]> {
  const lines: string[] = []
  for await (const line of readUtf8Lines(inChunks(bytes, size))) lines.push(line)
  return lines
}

const utf8 = (text: string) => new TextEncoder().encode(text)
const latin1 = (text: string) => Uint8Array.from([...text].map((sign) => sign.charCodeAt(0)))
const utf16 = (text: string) => new Uint8Array(Uint16Array.from([...text].map((sign) => sign.charCodeAt(0))).buffer)

test('lines are the same however the text arrives, and only line feeds end them', async () => {
  const texts = fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\n\r\0]/g, '')))
  const chunks = fc.integer({ min: 1, max: 20 })
  await fc.assert(
    fc.asyncProperty(texts, chunks, fc.constantFrom('\n', '\r\n'), async (lines, size, end) => {
      const text = lines.map((line) => line + end).join('')
      expect(await linesOf(utf8(text), size)).toEqual(lines.map((line, at) => (at === 0 ? line.replace(/^\uFEFF/, '') : line)))
    }),
  )
  expect(await linesOf(utf8('{"a":"x\u2028y"}\nlast'))).toEqual(['{"a":"x\u2028y"}', 'last'])
})

test('a byte order mark is dropped', async () => {
  expect(await linesOf(utf8('\uFEFF{}\r\n{}\r\n'))).toEqual(['{}', '{}'])
})

test.each([
  [
    'another encoding',
    latin1('{}\n{"text":"Gr\u00f6\u00dfe"}\n'),
    'line 2 is not UTF-8; convert the file, as with iconv -f WINDOWS-1252 -t UTF-8',
  ],
  ['UTF-16 with its mark', utf16('\uFEFF{}\n{}\n'), 'line 1 is not UTF-8 but UTF-16; save the file as UTF-8'],
  ['UTF-16 without it', utf16('{}\n{}\n'), 'line 1 is not UTF-8 but UTF-16; save the file as UTF-8'],
])('%s is refused by line', async (_what, bytes, message) => {
  await expect(linesOf(bytes)).rejects.toThrow(message)
})

test('U+FFFD of the text itself stays', async () => {
  expect(await linesOf(utf8('a\uFFFDb'))).toEqual(['a\uFFFDb'])
})
