import { createParser } from 'eventsource-parser'

/** The data of the server-sent events of a response, as they arrive. */
export async function* readEvents(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let read: string[] = []
  const parser = createParser({ onEvent: ({ data }) => void read.push(data) })
  const take = (text: string) => {
    parser.feed(text)
    const events = read
    read = []
    return events
  }
  for await (const bytes of content) yield* take(decoder.decode(bytes, { stream: true }))
  // Some servers end the last event with their connection.
  yield* take('\n\n')
}
