import { quoteText } from '../quote.ts'
import type { DerivedColumn } from '../table.ts'
import { escapeMark } from './json-words.ts'

const marks = ['genai_span_ref', escapeMark]

/**
 * 1 where the attributes or the summary of a call may name spans by `genai_span_ref`, a key that may be written with escapes. Results of evaluations
 * then read these payloads; of nearly all calls they need not be unpacked.
 */
export const mayNameSpansColumn: DerivedColumn = {
  type: 'UInt8',
  from: `(${['attributes', 'summary'].map((json) => `multiSearchAny(${json}, [${marks.map(quoteText).join(', ')}])`).join(' OR ')})`,
  codec: 'ZSTD(1)',
  ifNoneOf: { texts: marks, value: '0' },
}
