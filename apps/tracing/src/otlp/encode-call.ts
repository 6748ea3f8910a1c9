import { stringifyJson } from '@heddle/service-kit/json'
import type { JsonObject } from './json-value.ts'
import type { MappedSpan } from './map-span.ts'

/** The payloads of a call as JSON text that keeps every number as it was sent. */
export interface EncodedPayloads {
  inputs: string
  output: string
  attributes: string
  summary: string
  otel: string
}

/** Writes the payloads of a mapped span. */
export function encodePayloads(call: Pick<MappedSpan, keyof EncodedPayloads>): EncodedPayloads {
  return {
    inputs: stringifyJson(call.inputs),
    output: stringifyJson(call.output),
    attributes: stringifyJson(call.attributes),
    summary: stringifyJson(call.summary),
    otel: encodeMembers(call.otel),
  }
}

/** Writes an object member by member: the exact times of events then do not slow down the writing of the attributes. */
function encodeMembers(object: JsonObject): string {
  const members = Object.keys(object).map((key) => `${JSON.stringify(key)}:${stringifyJson(object[key])}`)
  return `{${members.join(',')}}`
}
