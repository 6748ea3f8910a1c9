/** The values of several streams with the index of theirs, as they arrive. Leaving the iteration, or a failure of one, leaves all. */
export async function* mergeStreams<T>(streams: readonly AsyncGenerator<T>[]): AsyncGenerator<{ index: number; value: T }> {
  const next = async (index: number) => ({ index, result: await streams[index]!.next() })
  const waiting = new Map(streams.map((_, index) => [index, next(index)]))
  try {
    while (waiting.size > 0) {
      const { index, result } = await Promise.race(waiting.values())
      if (result.done === true) {
        waiting.delete(index)
        continue
      }
      waiting.set(index, next(index))
      yield { index, value: result.value }
    }
  } finally {
    for (const promise of waiting.values()) promise.catch(() => undefined)
    await Promise.all(streams.map((stream) => stream.return(undefined).catch(() => undefined)))
  }
}
