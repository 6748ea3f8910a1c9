export type Bytes = Uint8Array<ArrayBuffer>

/** Adjacent chunks in memory are joined without a copy. */
export function mergeNeighbours(chunks: readonly Bytes[]): Bytes[] {
  const merged: Bytes[] = []
  for (let at = 0; at < chunks.length;) {
    const first = chunks[at++]
    if (first === undefined) break
    let { length } = first
    for (let next = chunks[at]; next?.buffer === first.buffer && next.byteOffset === first.byteOffset + length; next = chunks[++at])
      length += next.length
    merged.push(length === first.length ? first : new Uint8Array(first.buffer, first.byteOffset, length))
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
