import { move, transferableSymbol, valueSymbol } from 'piscina'
import { prepareLogs } from './prepare-logs.ts'
import { prepareSpans } from './prepare-spans.ts'
import type { SpanRequest } from './span-request.ts'

/** Log records, by their name in the pool of worker threads. */
export const logs = (request: SpanRequest): unknown => prepareLogs(request)

/** Spans. The rows are handed over, not copied. */
export default function (request: SpanRequest): unknown {
  const prepared = prepareSpans(request)
  if (prepared.status === 'refused') return prepared
  return move({ [transferableSymbol]: prepared.rows.buffer, [valueSymbol]: prepared })
}
