/** The same values in lists of `size`, except the last one; one empty list if there are no values. */
export async function* inChunks<T>(
  parts: Iterable<readonly T[]> | AsyncIterable<readonly T[]>,
  size: number,
): AsyncGenerator<readonly T[]> {
  let chunk: T[] = []
  let isFirst = true
  for await (const part of parts) {
    for (let at = 0; at < part.length;) {
      const taken = part.slice(at, at + size - chunk.length)
      chunk = chunk.length === 0 ? taken : chunk.concat(taken)
      at += taken.length
      if (chunk.length < size) continue
      yield chunk
      isFirst = false
      chunk = []
    }
  }
  if (chunk.length > 0 || isFirst) yield chunk
}
