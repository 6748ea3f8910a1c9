/** From then on a response that waits has begun, with a comment that keeps its connection. */
const heartbeatMs = 14_500

export interface FailureEvent {
  toEvent: (error: unknown) => unknown
  report: (error: unknown) => void
}

/** The events; once they have begun, an error is the last one. Before, it is the status of the response. */
export async function* failuresAsEvents(events: AsyncIterable<unknown>, { toEvent, report }: FailureEvent): AsyncGenerator<unknown> {
  const begunMs = performance.now()
  let hasBegun = false
  try {
    for await (const event of events) {
      hasBegun = true
      yield event
    }
  } catch (error) {
    if (!hasBegun && performance.now() - begunMs < heartbeatMs) throw error
    report(error)
    yield toEvent(error)
  }
}
