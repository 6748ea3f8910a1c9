import { stringifyJson } from '@heddle/service-kit/json'
import { isOwnObject, type JsonObject, type JsonValue } from './json-value.ts'
import type { MappedSpan } from './map-span.ts'

/** The payloads of a call as JSON text that keeps every number as it was sent. */
export interface EncodedPayloads {
  inputs: string
  output: string
  attributes: string
  summary: string
  otel: string
}

/** Texts of values that are part of more than one payload. */
type KnownTexts = Map<JsonValue, string>

/** Writes the payloads of a mapped span. A value that is an input or the output and also part of the raw span is written once. */
export function encodePayloads(call: Pick<MappedSpan, keyof EncodedPayloads>): EncodedPayloads {
  const known: KnownTexts = new Map()
  return {
    inputs: writeAndKeep(call.inputs, known),
    output: writeAndKeep(call.output, known),
    attributes: stringifyJson(call.attributes),
    summary: stringifyJson(call.summary),
    otel: encodeRawSpan(call.otel, known),
  }
}

/** Keeps the text of the value, and of a value that is its only member. */
function writeAndKeep(value: JsonValue, known: KnownTexts): string {
  const [key, ...others] = isOwnObject(value) ? Object.keys(value) : []
  const member = key === undefined || others.length > 0 ? undefined : (value as JsonObject)[key]
  if (key === undefined || typeof member !== 'object' || member === null) return keep(value, known)
  return `{${JSON.stringify(key)}:${keep(member, known)}}`
}

function keep(value: JsonValue, known: KnownTexts): string {
  const text = stringifyJson(value)
  if (typeof value === 'object' && value !== null) known.set(value, text)
  return text
}

/** The attributes hold the payload; the exact times of events would make the writer of everything else slow. */
function encodeRawSpan(otel: JsonObject, known: KnownTexts): string {
  const { attributes = null, events = null, ...rest } = otel
  return `${stringifyJson(rest).slice(0, -1)},"attributes":${writeNested(attributes, known)},"events":${stringifyJson(events)}}`
}

/** Nested attributes, down to what was sent as one value. */
function writeNested(value: JsonValue, known: KnownTexts): string {
  if (typeof value === 'string') return JSON.stringify(value)
  const text = known.get(value)
  if (text !== undefined) return text
  if (!isOwnObject(value)) return stringifyJson(value)
  let members = ''
  for (const key in value) members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${writeNested(value[key] as JsonValue, known)}`
  return `{${members}}`
}
