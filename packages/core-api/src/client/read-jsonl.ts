import { assertFiniteOptions } from './finite-numbers.ts'

/** How a stream of JSON lines is read. */
export interface JsonlOptions {
  /** Longest line, in characters. */
  maxLineLength: number
  parse: (text: string) => unknown
  /** Runs before every wait for the source. */
  onWait?: () => void
  /** Runs when a wait is over. The time until the next one is the reader's own. */
  onArrival?: () => void
}

/**
 * Reads the values of a stream of JSON lines, one by one as they arrive. Blank lines are skipped, a last line may lack its newline.
 * Leaving the loop cancels the source.
 * @throws RangeError for a line that is too long or an option that is not finite, SyntaxError for one that is not JSON.
 */
export async function* readJsonl(source: ReadableStream<Uint8Array>, options: JsonlOptions): AsyncGenerator<unknown, void, undefined> {
  assertFiniteOptions(options)
  for await (const line of readLines(source, options)) {
    if (line.trim() !== '') yield options.parse(line)
  }
}

async function* readLines(source: ReadableStream<Uint8Array>, options: JsonlOptions): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  const line = createLineBuffer(options.maxLineLength)
  for await (const piece of readPieces(source, options)) {
    const parts = decoder.decode(piece, { stream: true }).split('\n')
    const last = parts.pop() ?? ''
    for (const part of parts) yield line.take(part)
    line.add(last)
  }
  yield line.take(decoder.decode())
}

/** Collects the chunks of a line, so that a long line is joined once. */
function createLineBuffer(maxLength: number) {
  let pieces: string[] = []
  let length = 0
  const add = (text: string): void => {
    length += text.length
    if (length > maxLength) throw new RangeError(`a line of the response stream exceeds ${maxLength} characters`)
    if (text !== '') pieces.push(text)
  }
  return {
    add,
    take(text: string): string {
      add(text)
      const whole = pieces.join('')
      pieces = []
      length = 0
      return whole
    },
  }
}

/** The chunks of a stream. Not every browser supports async iteration of streams. */
async function* readPieces(source: ReadableStream<Uint8Array>, options: JsonlOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = source.getReader()
  try {
    for (;;) {
      options.onWait?.()
      const { done, value } = await reader.read()
      options.onArrival?.()
      if (done) return
      yield value
    }
  } finally {
    // After the end this does nothing; after an early exit it closes the connection.
    await reader.cancel().catch(() => undefined)
  }
}
