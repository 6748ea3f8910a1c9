import { type BodyPiece, BodySplitter } from './body-splitter.ts'

/** A chunk takes less than a tick of the event loop. */
const chunkBytes = 128 * 1024

/** The pieces of a body of trajectory groups, while it is read. @throws as `BodySplitter` */
export async function* readPieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<BodyPiece> {
  const splitter = new BodySplitter()
  for await (const bytes of content) {
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let at = 0; at < whole.length; at += chunkBytes) yield* splitter.read(whole.subarray(at, at + chunkBytes))
  }
  splitter.end()
}
