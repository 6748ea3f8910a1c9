import type { JsonText } from '@heddle/core-api/internal'
import type { CallRow } from '@heddle/datastore'
import { JsonBytes, jsonString, type ScratchBuffer } from '@heddle/json'
import { firstMemberOpening, rawSpanMarkers, sourceWithoutMarkers, type SharedPayload } from '../payload/raw-span-text.ts'
import { ScannedText } from '../payload/scanned-text.ts'
import { isJsonObject, type JsonObject, type JsonValue, SentJson } from './json-value.ts'
import { LeafMarker, type LeafTexts, markLeaves } from './mark-leaves.ts'

/** What the call with which a raw span is stored may share with it. */
export interface SharingCall extends Pick<CallRow, 'id' | 'trace_id' | 'started_at' | 'ended_at'> {
  parent_id: string | null
  inputs: JsonObject
  output: JsonValue
  attributes: JsonObject
}

/** The replacement of a value. */
interface StandIn {
  column: SharedPayload
  value: unknown
  text: string
}

/** Shorter texts are not worth a marker. */
const minLength = 62

/**
 * Writes a raw span without repeating the call: a marker replaces a value that is also the call's inputs or output, attributes that are also its
 * attributes, and leaves of attributes that its other columns have. `fillRawSpan` with the texts of the call restores the whole.
 */
export class StoredSpanWriter extends JsonBytes {
  readonly #call: SharingCall
  readonly #texts: LeafTexts
  #standIns: StandIn[]

  constructor(call: SharingCall, texts: LeafTexts, scratch: ScratchBuffer) {
    super(scratch)
    this.#call = call
    this.#texts = texts
    this.#standIns = [...standInsFor('inputs', call.inputs), ...standInsFor('output', call.output)]
  }

  /** The attributes of the span itself. */
  attributes(attributes: JsonObject): void {
    if (hasSameMembers(attributes, this.#call.attributes)) this.add(rawSpanMarkers.attributes)
    else this.value(markLeaves(attributes, this.#texts))
  }

  override value(value: unknown): void {
    const standIn =
      this.#standIns.length === 0 || !isWorthAMarker(value) ? undefined : this.#standIns.find((each) => standsFor(each, value))
    if (standIn === undefined) return super.value(value)
    this.#standIns = this.#standIns.filter(({ column }) => column !== standIn.column)
    super.ready(standIn.text)
  }

  protected override readyText(text: JsonText): void {
    if (text instanceof LeafMarker) super.ready(text.source)
    else if (text instanceof ScannedText && !text.strings.haveNumberedEscapes) super.ready(text.source)
    else super.readyText(text)
  }

  protected override ready(source: JsonText['source']): void {
    super.ready(sourceWithoutMarkers(source))
  }
}

/** The values that a column's marker may replace: the column itself and, if it is an object with one member, that member. */
function standInsFor(column: SharedPayload, value: JsonValue): StandIn[] {
  const marker = rawSpanMarkers[column]
  if (value instanceof SentJson && !value.isList) return standInsForText(column, value)
  if (!isJsonObject(value)) return [{ column, value, text: marker }]
  const [first, second] = Object.keys(value)
  const opening = first === undefined ? '' : `{${jsonString(first)}:`
  if (first === undefined || !firstMemberOpening.test(opening)) return []
  const whole = { column, value, text: `${opening}${marker}}` }
  return second === undefined ? [whole, { column, value: value[first], text: marker }] : [whole]
}

/** An object as it was sent, whose text may have blanks between its parts. */
function standInsForText(column: SharedPayload, value: SentJson): StandIn[] {
  const text = value.json
  const marker = rawSpanMarkers[column]
  if (!text.startsWith('{"')) return [{ column, value, text: marker }]
  const opening = text.endsWith('}') ? firstMemberOpening.exec(text)?.[0] : undefined
  return opening === undefined ? [] : [{ column, value, text: `${opening}${marker}}` }]
}

function isWorthAMarker(value: unknown): boolean {
  return typeof value === 'string' ? value.length >= minLength : typeof value === 'object' && value !== null
}

function standsFor({ value }: StandIn, written: unknown): boolean {
  return value === written || (written instanceof SentJson && written.gave(value))
}

function hasSameMembers(one: JsonObject, other: JsonObject): boolean {
  const keys = Object.keys(one)
  const others = Object.keys(other)
  return keys.length > 0 && keys.length === others.length && keys.every((key, index) => key === others[index] && one[key] === other[key])
}
