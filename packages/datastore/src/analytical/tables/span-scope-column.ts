import { quoteText } from '../engine/statements/quote.ts'
import type { DerivedColumn } from '../table.ts'

/** The end of a raw span as ingest writes it, which names its scope last. A name with escapes is taken as it is written: it is compared, not shown. */
const end = String.raw`"scope":\{"name":"((?:[^"\\]|\\.)*)","version":"(?:[^"\\]|\\.)*"\}\}$`

/** Bytes of a raw span in which the end is looked for. */
const longestEnd = 1_000

/** What stands before the name of a scope: so a span that names none differs from a call that was not sent as one. */
export const spanScopeMark = '@'

/**
 * `@` and the name of the instrumentation scope of a span, as JSON writes it; `@` where the span names none, `''` of calls that were sent otherwise. A raw span
 * is long, and whether a call has one need not be read from it.
 */
export const spanScopeColumn: DerivedColumn = {
  type: 'LowCardinality(String)',
  from: `if(otel = '', '', concat('${spanScopeMark}', extract(right(otel, ${longestEnd}), ${quoteText(end)})))`,
}
