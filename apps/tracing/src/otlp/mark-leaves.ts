import { JsonText } from '@heddle/core-api/internal'
import { rawSpanMarkers } from '../payload/raw-span-text.ts'
import { isLeaf, leafOpening, type LeafBranch, type LeafColumn, type RepeatedLeaf, repeatedLeaves } from '../payload/repeated-leaves.ts'
import { isJsonObject, type JsonObject, type JsonValue, newObject, ownMember } from './json-value.ts'

/** JSON texts of a call, as they are stored. */
export type LeafTexts = Readonly<Record<LeafColumn, Uint8Array>>

/** A marker instead of the value of a leaf. */
export class LeafMarker extends JsonText {}

const markers = {
  response_id: new LeafMarker(rawSpanMarkers.response_id),
  input_tokens: new LeafMarker(rawSpanMarkers.input_tokens),
  output_tokens: new LeafMarker(rawSpanMarkers.output_tokens),
}

/** The attributes of a raw span with markers for leaves that are found again in the columns of its call; the same object if there are none. */
export function markLeaves(attributes: JsonObject, texts: LeafTexts, branch: LeafBranch = repeatedLeaves): Record<string, unknown> {
  let marked: Record<string, unknown> | undefined
  for (const [key, next] of Object.entries(branch)) {
    const member = ownMember(attributes, key)
    if (member === undefined) continue
    const value = isLeaf(next) ? markOf(next, member, texts) : isJsonObject(member) ? markLeaves(member, texts, next) : member
    if (value !== member) (marked ??= copyOf(attributes))[key] = value
  }
  return marked ?? attributes
}

function copyOf(attributes: JsonObject): Record<string, unknown> {
  const copy = newObject()
  for (const key of Object.keys(attributes)) copy[key] = attributes[key] as JsonValue
  return copy
}

const comma = 0x2c
const brace = 0x7d

/** The marker of a leaf if the first value under its name in the column is this one, since that is what a reader finds. */
function markOf(leaf: RepeatedLeaf, value: JsonValue, texts: LeafTexts): LeafMarker | JsonValue {
  const text = textOf(value)
  if (text === undefined) return value
  const column = texts[leaf.column]
  const bytes = Buffer.from(column.buffer, column.byteOffset, column.byteLength)
  const opening = leafOpening(leaf.name)
  const at = bytes.indexOf(opening)
  if (at < 0) return value
  const start = at + opening.length
  const end = start + text.length
  const isWhole = bytes[end] === comma || bytes[end] === brace
  return isWhole && bytes.toString('latin1', start, end) === text ? markers[leaf.name] : value
}

/** JSON text of an integer, or of a text of printable ASCII without escapes. */
function textOf(value: JsonValue): string | undefined {
  if (typeof value === 'string') return /^[ !#-[\]-~]*$/.test(value) ? `"${value}"` : undefined
  return Number.isSafeInteger(value) ? String(value) : undefined
}
