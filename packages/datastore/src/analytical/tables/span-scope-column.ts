import { quoteText } from '../quote.ts'
import type { DerivedColumn } from '../table.ts'

/** The end of a raw span as ingest writes it, with its scope last. Escapes in a name are not decoded: it is compared, not shown. */
const end = String.raw`"scope":\{"name":"((?:[^"\\]|\\.)*)","version":"(?:[^"\\]|\\.)*"\}\}$`

/** Bytes at the end of a raw span that are searched. */
const longestEnd = 1_000

/** Prefix of the name of a scope, so that a span without a scope differs from a call that was not sent as a span. */
export const spanScopeMark = '@'

/**
 * `@` and the name of the instrumentation scope of a span, as JSON writes it; `@` where the span names none, `''` of calls that were sent otherwise. A raw span
 * is long, and whether a call has one need not be read from it.
 */
export const spanScopeColumn: DerivedColumn = {
  type: 'LowCardinality(String)',
  from: `if(otel = '', '', concat('${spanScopeMark}', extract(right(otel, ${longestEnd}), ${quoteText(end)})))`,
}
