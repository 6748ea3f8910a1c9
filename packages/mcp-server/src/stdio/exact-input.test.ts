import { JsonNumber } from '@heddle/json/exact'
import { text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { createExactInput } from './exact-input.ts'

const call = (given: string) => `{"id":1,"params":{"arguments":${given}}}`

/** What arrives, in pieces of some bytes. */
async function readLines(sent: string, bytes: number) {
  const input = createExactInput()
  const whole = Buffer.from(sent)
  const pieces = Array.from({ length: Math.ceil(whole.length / bytes) }, (_, at) => whole.subarray(at * bytes, (at + 1) * bytes))
  const lines = (await text(Readable.from(pieces).pipe(input.lines))).split('\n')
  return { lines, restored: (at: number) => input.restore(JSON.parse(lines[at] ?? '') as object) }
}

test.each([1, 7, 1_000])('numbers that JSON.parse would round arrive as they were written, in pieces of %d bytes', async (bytes) => {
  const sent = [call('{"a":9007199254740993,"text":"Größe 🙂"}'), call('{"a":1.0}'), 'no JSON 9007199254740993', ''].join('\n')
  const { lines, restored } = await readLines(sent, bytes)
  expect(restored(0)).toEqual({ id: 1, params: { arguments: { a: new JsonNumber('9007199254740993'), text: 'Größe 🙂' } } })
  expect(lines.slice(1)).toEqual([call('{"a":1.0}'), 'no JSON 9007199254740993', ''])
})

test('what a client writes is never treated as such a number', async () => {
  const { lines } = await readLines(`${call('{"a":9007199254740993}')}\n`, 100)
  const { restored } = await readLines(lines.join('\n'), 100)
  expect(JSON.stringify(restored(0))).toBe(lines[0])
})
