export type Bytes = Uint8Array<ArrayBuffer>

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
