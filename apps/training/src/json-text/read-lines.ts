import { StringDecoder } from 'node:string_decoder'

/** The lines of a UTF-8 text while it is read, without their ends. */
export async function* readLines(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  for await (const chunk of content) {
    const pieces = decoder.write(chunk).split('\n')
    for (const piece of pieces.slice(0, -1)) {
      yield withoutReturn([...parts, piece].join(''))
      parts = []
    }
    parts.push(pieces.at(-1) ?? '')
  }
  const last = [...parts, decoder.end()].join('')
  if (last !== '') yield withoutReturn(last)
}

const withoutReturn = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line)
