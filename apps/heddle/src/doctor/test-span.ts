import { randomBytes } from 'node:crypto'

/** A span that says of itself what it is. */
export interface TestSpan {
  traceId: string
  spanId: string
  name: string
  body: string
}

/** One OTLP/JSON request with a span of one millisecond that ends at `now`, in microseconds. */
export function createTestSpan({
  name,
  now,
  random = randomBytes,
}: {
  name: string
  now: number
  random?: (size: number) => Buffer
}): TestSpan {
  const traceId = random(16).toString('hex')
  const spanId = random(8).toString('hex')
  const span = {
    traceId,
    spanId,
    name,
    kind: 1,
    startTimeUnixNano: `${now - 1_000}000`,
    endTimeUnixNano: `${now}000`,
    status: { code: 1 },
  }
  return { traceId, spanId, name, body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }) }
}
