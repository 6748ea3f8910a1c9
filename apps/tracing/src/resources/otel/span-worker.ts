import { move, transferableSymbol, valueSymbol } from 'piscina'
import { prepareSpans } from './prepare-spans.ts'
import type { SpanRequest } from './span-request.ts'

/** What the pool of worker threads runs. The rows are handed over, not copied. */
export default function (request: SpanRequest): unknown {
  const prepared = prepareSpans(request)
  if (prepared.status === 'refused') return prepared
  return move({ [transferableSymbol]: prepared.rows.buffer, [valueSymbol]: prepared })
}
