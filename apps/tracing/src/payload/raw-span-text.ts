import type { JsonText } from '@heddle/core-api/internal'
import type { CallRow } from '@heddle/datastore'
import { toNaiveText } from './naive-time.ts'
import { type LeafName, leafText, leavesOn, type RepeatedLeaf } from './repeated-leaves.ts'

/** The payloads of a call of which its raw span may repeat a part. JSON texts. */
export type SharedTexts = Pick<CallRow, 'inputs' | 'output' | 'attributes'>
export type SharedPayload = keyof SharedTexts

/** The columns of a call that its raw span may repeat. */
export type SharedColumns = SharedTexts & Pick<CallRow, 'id' | 'trace_id' | 'parent_id' | 'started_at' | 'ended_at' | 'summary'>

/** An object up to the value of its first member. The query compiler has the same pattern in SQL. */
export const firstMemberOpening = /^\{"[^"\\]*":/

/** Replacements in a stored raw span for parts that columns of the call have already: valid JSON that no writer produces. */
export const rawSpanMarkers = {
  inputs: '"\\u0000inputs"',
  output: '"\\u0000output"',
  attributes: '"\\u0000attributes"',
  /** The whole context: both ids, and an empty state. */
  context: '"\\u0000context"',
  /** The id of the parent, and the two times after it. */
  place: '"\\u0000place"',
  response_id: '"\\u0000response_id"',
  input_tokens: '"\\u0000input_tokens"',
  output_tokens: '"\\u0000output_tokens"',
} as const
export type RawSpanMarker = keyof typeof rawSpanMarkers

const leaves = Object.fromEntries(leavesOn([]).map((leaf) => [leaf.name, leaf])) as Record<LeafName, RepeatedLeaf>
const opening = '"\\u0000'
const marker = /"\\u0000(inputs|output|attributes|context|place|response_id|input_tokens|output_tokens)"/g

/** JSON text of a raw span as it may be stored: without what looks like a marker. The same JSON value. */
export function withoutMarkers(otel: string): string {
  return otel.includes(opening) ? otel.replace(marker, (_, name: RawSpanMarker) => disguised(name)) : otel
}

/** A text that a span really has, and that looks like a marker, with the first letter of its name as an escape: the same JSON value. */
function disguised(name: RawSpanMarker): string {
  return `${opening}\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}"`
}

/** The same for a text that may be there as bytes. A part of a raw span may be treated alone, as what looks like a marker lies within one string. */
export function sourceWithoutMarkers(source: JsonText['source']): JsonText['source'] {
  if (typeof source === 'string') return withoutMarkers(source)
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
  return bytes.includes(opening) ? withoutMarkers(bytes.toString()) : source
}

/** Restores the whole raw span from a stored one; `''` is unchanged. */
export function fillRawSpan(otel: string, call: SharedColumns): string {
  if (!otel.includes(opening)) return otel
  return otel.replace(marker, (_, name: RawSpanMarker) => sharedPart(name, call))
}

/**
 * The part of a call that a marker represents: for inputs and output the value after the first key of the object, or the whole value if it is not an
 * object.
 */
function sharedPart(name: RawSpanMarker, call: SharedColumns): string {
  switch (name) {
    case 'inputs':
      return firstValue(call.inputs)
    case 'output':
      return firstValue(call.output)
    case 'attributes':
      return call.attributes
    case 'context':
      return `{"trace_id":"${call.trace_id}","span_id":"${call.id}","trace_state":""}`
    case 'place':
      return placeOf(call)
    case 'response_id':
    case 'input_tokens':
    case 'output_tokens':
      return leafText(leaves[name], call)
  }
}

function placeOf({ parent_id, started_at, ended_at }: SharedColumns): string {
  const time = (micros: number | null) => (micros === null ? 'null' : `"${toNaiveText(micros)}"`)
  return `${parent_id === '' ? 'null' : `"${parent_id}"`},"start_time":${time(started_at)},"end_time":${time(ended_at)}`
}

function firstValue(text: string): string {
  if (!text.startsWith('{"')) return text
  const first = firstMemberOpening.exec(text)?.[0]
  return first === undefined ? '' : text.slice(first.length, -1)
}
