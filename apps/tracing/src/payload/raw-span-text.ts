import type { CallRow } from '@heddle/datastore'

/** The columns of a call of which its raw span may repeat a part. JSON texts. */
export type SharedTexts = Pick<CallRow, 'inputs' | 'output' | 'attributes'>
export type SharingColumn = keyof SharedTexts

const columns: readonly SharingColumn[] = ['inputs', 'output', 'attributes']

/** An object up to the value of its first member. The compiler of queries says the same in SQL. */
export const firstMemberOpening = /^\{"[^"\\]*":/

/** Shorter parts are not worth a marker. */
const minLength = 64

/** What stands in a stored raw span for a part that a column of the call has already: valid JSON that no writer makes. */
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

/**
 * A raw span as it is stored: messages that are also the inputs or the output of the call, and attributes that are also its attributes,
 * are kept once. `fillRawSpan` with the same columns gives the same JSON back.
 */
export function shareRawSpan(otel: string, texts: SharedTexts): string {
  let stored = otel.includes('"\\u0000') ? disguised(otel) : otel
  for (const column of columns) {
    const part = sharedPart(column, texts[column])
    const at = part.length < minLength || !part.includes('"') ? -1 : stored.indexOf(part)
    if (at > 0 && isWholeValue(stored, at, at + part.length))
      stored = stored.slice(0, at) + rawSpanMarkers[column] + stored.slice(at + part.length)
  }
  return stored
}

/** The whole raw span of a stored one; `''` stays. */
export function fillRawSpan(otel: string, texts: SharedTexts): string {
  if (!otel.includes('"\\u0000')) return otel
  return otel.replace(/"\\u0000(inputs|output|attributes)"/g, (_, column: SharingColumn) => sharedPart(column, texts[column]))
}

/** True when the raw span repeats a part of the column. */
export function sharesColumn(otel: string, column: SharingColumn): boolean {
  return otel.includes(rawSpanMarkers[column])
}

/** The part of a column that a raw span may repeat: of inputs and output the value of the first member, or the whole where they are no object. */
function sharedPart(column: SharingColumn, text: string): string {
  if (column === 'attributes' || !text.startsWith('{"')) return text
  const opening = firstMemberOpening.exec(text)?.[0]
  return opening === undefined ? '' : text.slice(opening.length, -1)
}

/** True when nothing but JSON punctuation stands on either side. A part that holds quotes cannot lie inside a string, where they are escaped. */
function isWholeValue(text: string, start: number, end: number): boolean {
  return /[:,[]/.test(text.charAt(start - 1)) && /[,}\]]/.test(text.charAt(end))
}

function disguised(otel: string): string {
  return columns.reduce((text, column) => text.replaceAll(rawSpanMarkers[column], disguises[column]), otel)
}
