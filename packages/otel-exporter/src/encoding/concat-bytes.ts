export type Bytes = Uint8Array<ArrayBuffer>

/** Neighbours in memory become one, without copying. */
export function mergeNeighbours(chunks: readonly Bytes[]): Bytes[] {
  const merged: Bytes[] = []
  for (const chunk of chunks) {
    const last = merged.at(-1)
    if (last === undefined || last.buffer !== chunk.buffer || last.byteOffset + last.length !== chunk.byteOffset) merged.push(chunk)
    else merged[merged.length - 1] = new Uint8Array(last.buffer, last.byteOffset, last.length + chunk.length)
  }
  return merged
}

export function sumOfLengths(chunks: readonly Uint8Array[]): number {
  let sum = 0
  for (const { length } of chunks) sum += length
  return sum
}

export function concatBytes(chunks: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(sumOfLengths(chunks))
  let position = 0
  for (const chunk of chunks) {
    whole.set(chunk, position)
    position += chunk.length
  }
  return whole
}
