const maxEventCharacters = 16 * 2 ** 20

/**
 * The `data` of each event of a stream of server-sent events, up to `[DONE]`. Comments are skipped; leaving the loop cancels the stream.
 * @throws RangeError for an event of more than 16 Mi characters
 */
export async function* readEventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of chunksOf(body)) {
    text += decoder.decode(bytes, { stream: true })
    const events = text.split('\n\n')
    text = events.pop()!
    if (text.length > maxEventCharacters) throw new RangeError('the server sent an event that is too long')
    for (const event of events) {
      if (!event.startsWith('data: ')) continue
      const data = event.slice('data: '.length)
      if (data === '[DONE]') return
      yield data
    }
  }
}

/** Not every browser iterates over a stream. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}
