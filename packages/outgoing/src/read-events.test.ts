import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvents } from './read-events.ts'

const collect = async <T>(iterable: AsyncIterable<T>) => {
  const all: T[] = []
  for await (const each of iterable) all.push(each)
  return all
}

/** A text cut into pieces of some bytes, also within a character. */
const inPieces = (text: string, size: number) => {
  const bytes = Buffer.from(text)
  return Readable.from(Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size)))
}

const lines = fc.array(
  fc.string({ unit: 'grapheme' }).filter((line) => !/[\r\n\ufeff]/.test(line)),
  { maxLength: 5 },
)

test('events are the same however the content is cut, also the last one of a server that closes the connection after it', async () => {
  await fc.assert(
    fc.asyncProperty(lines, fc.integer({ min: 1, max: 9 }), fc.boolean(), async (events, size, isClosed) => {
      const text = events.map((data) => `data: ${data}`).join('\n\n')
      expect(await collect(readEvents(inPieces(isClosed ? text : `${text}\n\n`, size)))).toEqual(events)
    }),
  )
})
