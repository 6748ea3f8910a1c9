import type { JsonText } from '@heddle/core-api/internal'
import type { CallRow } from '@heddle/datastore'

/** The columns of a call of which its raw span may repeat a part. JSON texts. */
export type SharedTexts = Pick<CallRow, 'inputs' | 'output' | 'attributes'>
export type SharingColumn = keyof SharedTexts

/** An object up to the value of its first member. The query compiler has the same pattern in SQL. */
export const firstMemberOpening = /^\{"[^"\\]*":/

/** Replacement in a stored raw span for a part that a column of the call has already: valid JSON that no writer produces. */
export const rawSpanMarkers: Readonly<Record<SharingColumn, string>> = {
  inputs: '"\\u0000inputs"',
  output: '"\\u0000output"',
  attributes: '"\\u0000attributes"',
}

/** A text that a span really has, and that looks like a marker, written otherwise: the same JSON value. */
const disguises: Readonly<Record<SharingColumn, string>> = {
  inputs: '"\\u0000\\u0069nputs"',
  output: '"\\u0000\\u006futput"',
  attributes: '"\\u0000\\u0061ttributes"',
}

const columns = Object.keys(rawSpanMarkers) as SharingColumn[]
const opening = '"\\u0000'

/** JSON text of a raw span as it may be stored: without what looks like a marker. The same JSON value. */
export function withoutMarkers(otel: string): string {
  if (!otel.includes(opening)) return otel
  return columns.reduce((text, column) => text.replaceAll(rawSpanMarkers[column], disguises[column]), otel)
}

/** The same for a text that may be there as bytes. A part of a raw span may be treated alone, as what looks like a marker lies within one string. */
export function sourceWithoutMarkers(source: JsonText['source']): JsonText['source'] {
  if (typeof source === 'string') return withoutMarkers(source)
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  return bytes.includes(opening) ? withoutMarkers(bytes.toString()) : source
}

/** Restores the whole raw span from a stored one; `''` is unchanged. */
export function fillRawSpan(otel: string, texts: SharedTexts): string {
  if (!otel.includes(opening)) return otel
  return otel.replace(/"\\u0000(inputs|output|attributes)"/g, (_, column: SharingColumn) => sharedPart(column, texts[column]))
}

/**
 * The part of a column that a marker represents: for inputs and output the value after the first key of the object, or the whole value if it is not
 * an object.
 */
function sharedPart(column: SharingColumn, text: string): string {
  if (column === 'attributes' || !text.startsWith('{"')) return text
  const first = firstMemberOpening.exec(text)?.[0]
  return first === undefined ? '' : text.slice(first.length, -1)
}
