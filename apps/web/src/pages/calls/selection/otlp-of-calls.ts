import type { Call } from '@heddle/core-api/types'
import { memberOf } from '@heddle/core-api/internal'
import { isJsonNumber, type JsonNumber } from '@heddle/json/exact'
import { textMember } from '../../../lib/text-member.ts'
import { jsonText } from '../../../lib/texts/to-text.ts'

/** A value as OTLP has it in JSON. */
type AnyValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number | JsonNumber }
  | { arrayValue: { values: AnyValue[] } }
  | { kvlistValue: { values: KeyValue[] } }
interface KeyValue {
  key: string
  value: AnyValue
}

interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  [field: string]: unknown
}
interface ScopeSpans {
  scope: unknown
  spans: OtlpSpan[]
}
export interface OtlpRequest {
  resourceSpans: { resource: unknown; scopeSpans: ScopeSpans[] }[]
}

/** The names that stored spans have for numbers of the protocol, by these numbers. */
const kinds = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']
const codes = ['UNSET', 'OK', 'ERROR']

/**
 * The spans that calls were, as a request of OpenTelemetry, and how many calls were none. A span is as it was stored: with its times to the
 * microsecond, names of attributes in full, and without credentials that were masked.
 */
export function otlpOfCalls(calls: readonly Pick<Call, 'attributes'>[]): { request: OtlpRequest; leftOut: number } {
  const resources = new Map<string, { resource: unknown; scopes: Map<string, ScopeSpans> }>()
  let leftOut = 0
  for (const { attributes } of calls) {
    const raw = memberOf(attributes, 'otel_span')
    if (textMember(memberOf(raw, 'context'), 'span_id') === '') {
      leftOut++
      continue
    }
    const [resource, scope] = [memberOf(raw, 'resource') ?? null, memberOf(raw, 'scope') ?? null]
    const ofResource = resources.get(keyOf(resource)) ?? { resource: toResource(resource), scopes: new Map<string, ScopeSpans>() }
    resources.set(keyOf(resource), ofResource)
    const ofScope = ofResource.scopes.get(keyOf(scope)) ?? { scope: toScope(scope), spans: [] }
    ofResource.scopes.set(keyOf(scope), ofScope)
    ofScope.spans.push(toSpan(raw))
  }
  const resourceSpans = [...resources.values()].map(({ resource, scopes }) => ({ resource, scopeSpans: [...scopes.values()] }))
  return { request: { resourceSpans }, leftOut }
}

const keyOf = (value: unknown) => jsonText(value)
const toResource = (resource: unknown) => ({ attributes: toAttributes(memberOf(resource, 'attributes')) })
const toScope = (scope: unknown) => ({ name: textMember(scope, 'name'), version: textMember(scope, 'version') })

function toSpan(raw: unknown): OtlpSpan {
  const context = memberOf(raw, 'context')
  const parent = textMember(raw, 'parent_id')
  const state = textMember(context, 'trace_state')
  const status = memberOf(raw, 'status')
  const end = textMember(raw, 'end_time')
  return {
    traceId: textMember(context, 'trace_id'),
    spanId: textMember(context, 'span_id'),
    ...(parent !== '' && { parentSpanId: parent }),
    ...(state !== '' && { traceState: state }),
    name: textMember(raw, 'name'),
    kind: Math.max(0, kinds.indexOf(textMember(raw, 'kind'))),
    startTimeUnixNano: nanosOfTime(textMember(raw, 'start_time')),
    ...(end !== '' && { endTimeUnixNano: nanosOfTime(end) }),
    attributes: toAttributes(memberOf(raw, 'attributes')),
    events: listAt(raw, 'events').map((event) => ({
      timeUnixNano: wholeText(memberOf(event, 'timestamp')),
      name: textMember(event, 'name'),
      attributes: toAttributes(memberOf(event, 'attributes')),
    })),
    links: listAt(raw, 'links').map((link) => ({
      traceId: textMember(link, 'trace_id'),
      spanId: textMember(link, 'span_id'),
      attributes: toAttributes(memberOf(link, 'attributes')),
    })),
    status: { code: Math.max(0, codes.indexOf(textMember(status, 'code'))), message: textMember(status, 'message') },
  }
}

function listAt(value: unknown, name: string): readonly unknown[] {
  const list = memberOf(value, name)
  return Array.isArray(list) ? list : []
}

/** Nanoseconds since 1970 of a time without a zone, which is UTC, to the microsecond. */
function nanosOfTime(text: string): string {
  const [, seconds = '', fraction = ''] = /^([^.]*)(?:\.(\d{1,9}))?$/.exec(text) ?? []
  const ms = Date.parse(`${seconds}Z`)
  return Number.isNaN(ms) ? '0' : `${BigInt(ms / 1_000)}${fraction.padEnd(9, '0')}`.replace(/^0+(?=\d)/, '')
}

const wholeText = (value: unknown) => (typeof value === 'number' ? BigInt(Math.trunc(value)).toString() : String(value ?? 0))

/** Attributes are stored nested by the dots of their names. */
function toAttributes(nested: unknown, prefix = ''): KeyValue[] {
  if (typeof nested !== 'object' || nested === null) return []
  return Object.entries(nested).flatMap(([name, value]) => {
    if (value === null || value === undefined) return []
    const key = `${prefix}${name}`
    const isObject = typeof value === 'object' && !Array.isArray(value) && !isJsonNumber(value) && Object.keys(value as object).length > 0
    return isObject ? toAttributes(value, `${key}.`) : [{ key, value: toValue(value) }]
  })
}

function toValue(value: unknown): AnyValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  if (isJsonNumber(value)) return isInt64(value.text) ? { intValue: value.text } : { doubleValue: value }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(toValue) } }
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return { kvlistValue: { values: members.map(([key, member]) => ({ key, value: toValue(member) })) } }
}

/** Digits that a 64-bit integer with a sign holds. */
const isInt64 = (text: string) => /^-?\d{1,19}$/.test(text) && text !== '-0' && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
