import { isDeepStrictEqual } from 'node:util'
import { callsTable, rowReader, rowTemplate, type EncodableRow, type RowTemplate, type Slot, type TextPart } from '@heddle/datastore'
import { edgeCaseSpans, uniqueSpan, type Random } from './example-spans.ts'
import { PlainSpan, valueCodes } from './plain-span.ts'
import { integerSlots, maxSums, SpanValues, textSlots, type Sum } from './span-values.ts'

/** How the rows of spans of one signature are written. */
export interface SpanTemplate {
  row: RowTemplate
  sums: readonly Sum[]
}

/** The rules that a template is learned from and checked against. */
export interface ReferenceMapper {
  /** The row of a span, as the rules of mapping have it; undefined when it is refused. */
  toRow(span: Uint8Array): EncodableRow<typeof callsTable> | undefined
  /** The encoded rows of spans, which are mapped as one request; undefined when one is refused, or there is a message about one. */
  toEncodedRows(spans: readonly Uint8Array[]): Uint8Array[] | undefined
  random: Random
}

const reader = rowReader(callsTable)

/**
 * Learns how spans like this one become rows: a span with the same keys and unique values is mapped by the rules, and wherever one of these values is
 * found in the row, the value of each later span is inserted. The template is then tested on spans with special values, and on this one. Undefined if
 * the values affect more than their own columns: such spans are left to the rules.
 */
export function learnTemplate(span: PlainSpan, mapper: ReferenceMapper): SpanTemplate | undefined {
  const signature = span.signature()
  const example = readSpan(uniqueSpan(span, mapper.random), signature)
  const row = example && mapper.toRow(example.bytes)
  if (example === undefined || row === undefined) return undefined
  const sums = possibleSums(example)
  const values = new SpanValues()
  values.take(example, sums)
  const template = { row: rowTemplate(callsTable, row, slotsOf(row, values, example.count + sums.length)), sums }
  const trials = [span.bytes.subarray(span.start, span.end), ...edgeCaseSpans(span, mapper.random)]
  const expected = mapper.toEncodedRows(trials)
  const holds = expected !== undefined && trials.every((bytes, trial) => givesRow(template, readSpan(bytes, signature), expected[trial]))
  return holds ? template : undefined
}

function readSpan(bytes: Buffer, signature: string | undefined): PlainSpan | undefined {
  const span = new PlainSpan(bytes)
  return span.read(0, bytes.length) && span.signature() === signature ? span : undefined
}

/** Equal values may be encoded in different bytes, as the lengths that are inserted later have a fixed size. */
function givesRow({ row, sums }: SpanTemplate, span: PlainSpan | undefined, expected: Uint8Array | undefined): boolean {
  if (span === undefined || expected === undefined) return false
  const values = new SpanValues()
  values.take(span, sums)
  const written = Buffer.alloc(row.maxBytes(values))
  const end = row.write(values, written, 0)
  return written.subarray(0, end).equals(expected) || isDeepStrictEqual(rowOf(written), rowOf(expected))
}

const rowOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => reader.open(Buffer.from(buffer, byteOffset, byteLength), 0).toRow()

/** Pairs of integers, of which a row may have the sum: tokens. */
function possibleSums({ codes, count }: PlainSpan): Sum[] {
  const integers = Array.from({ length: count }, (_, index) => index).filter((index) => codes[index] === valueCodes.integer)
  return integers.flatMap((one, index) => integers.slice(index + 1).map((other): Sum => [one, other])).slice(0, maxSums)
}

/** A text of a span as written in a row. */
interface Mark {
  slot: number
  text: Buffer
}

function slotsOf(row: EncodableRow<typeof callsTable>, values: SpanValues, attributes: number): Record<string, Slot> {
  const marks = marksOf(values, attributes)
  const slots: Record<string, Slot> = {}
  for (const [name, { type }] of Object.entries(callsTable.columns)) {
    const value: unknown = row[name as keyof typeof row]
    const slot =
      type === 'JSON'
        ? { leaves: (value as readonly string[]).map((text) => partsOf(text, marks)) }
        : slotOf(value, marks, values, attributes)
    if (slot !== undefined) slots[name] = slot
  }
  slots['storage_size_bytes'] = { bytesOf: ['inputs', 'output', 'attributes', 'summary'] }
  return slots
}

function marksOf({ starts, lengths, isMade, made, sent }: SpanValues, attributes: number): Mark[] {
  const all = Array.from({ length: textSlots.attributes + attributes }, (_, slot) => slot)
  return all
    .filter((slot) => (lengths[slot] as number) > 0)
    .map((slot) => {
      const start = starts[slot] as number
      return { slot, text: (isMade[slot] === 1 ? made : sent).subarray(start, start + (lengths[slot] as number)) }
    })
}

function slotOf(value: unknown, marks: readonly Mark[], { integers }: SpanValues, attributes: number): Slot | undefined {
  if (typeof value === 'string' || value instanceof Uint8Array) {
    const text = partsOf(value, marks)
    return text.some((part) => typeof part === 'number') ? { text } : undefined
  }
  const index = typeof value === 'number' && value > 0 ? integers.subarray(0, integerSlots.attributes + attributes).indexOf(value) : -1
  return index < 0 ? undefined : { integer: index }
}

function partsOf(value: string | Uint8Array, marks: readonly Mark[]): TextPart[] {
  const text = Buffer.from(value)
  const parts: TextPart[] = []
  let done = 0
  for (const { at, slot, length } of placesOf(text, marks)) {
    if (at < done) continue
    if (at > done) parts.push(text.subarray(done, at))
    parts.push(slot)
    done = at + length
  }
  if (done < text.length) parts.push(text.subarray(done))
  return parts
}

function placesOf(text: Buffer, marks: readonly Mark[]): { at: number; slot: number; length: number }[] {
  const places = marks.flatMap(({ slot, text: mark }) => {
    const found: { at: number; slot: number; length: number }[] = []
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) found.push({ at, slot, length: mark.length })
    return found
  })
  return places.toSorted((one, other) => one.at - other.at || other.length - one.length)
}
