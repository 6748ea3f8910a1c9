/**
 * The stream, with every chunk shown on its way. `onEnd` is called once it has ended, failed or been left, before the reader learns of it; it may be
 * called more than once.
 */
export function watchStream<Chunk>(
  source: ReadableStream<Chunk>,
  onChunk: (chunk: Chunk) => void,
  onEnd: () => void,
): ReadableStream<Chunk> {
  const reader = source.getReader()
  return new ReadableStream<Chunk>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            onEnd()
            controller.close()
            return
          }
          onChunk(value)
          controller.enqueue(value)
        } catch (error) {
          onEnd()
          controller.error(error)
        }
      },
      async cancel(reason) {
        onEnd()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
