/**
 * Reads a whole body.
 * @throws RangeError when it is longer than `maxBytes`; the rest is not read.
 */
export async function readBody(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader()
  if (!reader) return new Uint8Array()
  const pieces: Uint8Array[] = []
  let length = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length
    if (length > maxBytes) {
      await reader.cancel().catch(() => undefined)
      throw new RangeError(`response exceeds ${maxBytes} bytes`)
    }
    pieces.push(next.value)
  }
  return join(pieces, length)
}

function join(pieces: Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
