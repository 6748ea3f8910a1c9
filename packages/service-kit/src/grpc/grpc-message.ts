import type { Readable } from 'node:stream'

/** Flag of one byte, and the length of the message in four. */
const prefixBytes = 5

/** A message as it arrives. */
export interface IncomingMessageFrame {
  isCompressed: boolean
  length: number
  /** Its bytes, read from the stream as they are wanted. Fails if the stream ends before the message does, or continues after it. */
  body: ReadableStream<Uint8Array>
  /** Why the body failed. */
  failure(): FrameError | undefined
}

export class FrameError extends Error {
  override readonly name = 'FrameError'
}

/** Reads the prefix of the one message of a call. @throws FrameError if the stream has none */
export async function readMessage(stream: Readable): Promise<IncomingMessageFrame> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let read = Buffer.alloc(0)
  while (read.length < prefixBytes) {
    const { done, value } = await chunks.next()
    if (done) throw new FrameError('the call has no message')
    read = Buffer.concat([read, value])
  }
  const flag = read.readUInt8(0)
  if (flag > 1) throw new FrameError(`the message has the flag ${flag}; expected 0 or 1`)
  const length = read.readUInt32BE(1)
  return { isCompressed: flag === 1, length, ...bodyOf(read.subarray(prefixBytes), chunks, length) }
}

function bodyOf(first: Buffer, chunks: AsyncIterator<Buffer>, length: number): Pick<IncomingMessageFrame, 'body' | 'failure'> {
  let failure: FrameError | undefined
  const fail = (reason: string) => (failure = new FrameError(reason))
  let left = length
  /** The next bytes that are not empty; undefined at the end. */
  async function next(): Promise<Buffer | undefined> {
    for (let chunk = first; ;) {
      first = Buffer.alloc(0)
      if (chunk.length > 0) return chunk
      const { done, value } = await chunks.next()
      if (done) return undefined
      chunk = value
    }
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await next()
        if (chunk === undefined && left > 0) throw fail('the call ended within its message')
        if (chunk === undefined) return controller.close()
        left -= chunk.length
        if (left < 0) throw fail('the call has more than one message')
        controller.enqueue(new Uint8Array(chunk))
      },
      async cancel() {
        await chunks.return?.()
      },
    },
    { highWaterMark: 0 },
  )
  return { body, failure: () => failure }
}

/** A message that is sent, uncompressed. */
export function toFrame(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}
