import { PlainSpanPreparer } from './plain-spans/prepare-plain-spans.ts'
import { prepareByRules, rowByRules } from './prepare-by-rules.ts'
import type { PreparedRequest, SpanRequest } from './span-request.ts'

/** Templates of this thread. */
const plainSpans = new PlainSpanPreparer({ prepare: prepareByRules, toRow: rowByRules })

/** Takes an export request up to the bytes that are stored. May run in any thread. */
export function prepareSpans(request: SpanRequest): PreparedRequest {
  return plainSpans.prepare(request) ?? prepareByRules(request)
}
