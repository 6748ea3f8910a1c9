import { StringDecoder } from 'node:string_decoder'
import { createParser } from 'eventsource-parser'

/** Bytes that are held before they are read: together they cost less than piece by piece, and the program need not wait for it. */
const maxHeldBytes = 65_536

/** Reads the server-sent events of a stream. */
export interface StreamEvents {
  /** Takes a copy: the program may do with its chunk what it likes. */
  hold(chunk: Uint8Array): void
  readHeld(): void
}

export function createStreamEvents(onEvent: (data: string) => void): StreamEvents {
  const parser = createParser({ onEvent: ({ data }) => onEvent(data) })
  const text = new StringDecoder('utf8')
  let held: Buffer[] = []
  let heldBytes = 0

  function readHeld() {
    if (heldBytes === 0) return
    const bytes = Buffer.concat(held, heldBytes)
    held = []
    heldBytes = 0
    parser.feed(text.write(bytes))
  }

  return {
    hold(chunk) {
      held.push(Buffer.from(chunk))
      heldBytes += chunk.byteLength
      if (heldBytes >= maxHeldBytes) readHeld()
    },
    readHeld,
  }
}
