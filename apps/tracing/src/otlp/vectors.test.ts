import { readFileSync } from 'node:fs'
import { formatTimestamp } from '@heddle/core-api'
import { parseJson, stringifyJson } from '@heddle/json'
import { describe, expect, test } from 'vitest'
import { decodeJson } from './decode/decode-json.ts'
import { decodeProtobuf } from './decode/decode-protobuf.ts'
import { mapRequest } from './map/map-request.ts'
import type { MappedSpan } from './map/map-span.ts'
import { rawSpanText } from './testing/raw-span-text.ts'
import { encodeRequest } from './testing/encode-request.ts'
import { withTexts } from './testing/with-texts.ts'

interface Expected {
  [field: string]: unknown
  id: string
}

interface Vector {
  name: string
  resourceSpans: Record<string, unknown>[]
  request_run_id?: string
  reference: {
    request_fails?: string
    partial_success?: { rejected_spans: number; error_message_starts: string; error_message_names: string[] }
    calls?: Expected[]
  }
  heddle?: { calls: Expected[] }
}

const file = JSON.parse(readFileSync(new URL('../vectors/otel-vectors.json', import.meta.url), 'utf8')) as { vectors: Vector[] }
/** Answers that hold with the `reject` switch alone. */
const conflictCases = new Set(['conflict-primitive-parent', 'conflict-other-order', 'real-collision-db'])

function run(vector: Vector, decoded: ReturnType<typeof decodeJson>) {
  const conflicts = conflictCases.has(vector.name) ? 'reject' : 'keep'
  return mapRequest(decoded, { project: undefined, run: vector.request_run_id }, { conflicts, maskSecrets: true })
}

const fromJson = (vector: Vector) => decodeJson(JSON.stringify({ resourceSpans: vector.resourceSpans }), parseJson)

/** The fields of a read that the mapping decides; null and absent are the same. */
function toRead(call: MappedSpan): Record<string, unknown> {
  const { rawSpan: _, ...mapped } = call
  const plain = JSON.parse(stringifyJson(mapped)) as Record<string, unknown> & { summary: { usage?: unknown } }
  const status = plain['exception'] ? 'error' : plain['ended_at'] === null ? 'running' : 'success'
  return {
    ...plain,
    op_name: `weave:///${call.project}/op/${call.opId}:<digest>`,
    started_at: formatTimestamp(call.started_at),
    ended_at: call.ended_at === null ? null : formatTimestamp(call.ended_at),
    usage: withoutCosts(plain.summary.usage ?? null),
    status,
    otel_span: JSON.parse(rawSpanText(call)) as unknown,
  }
}

/** What a read must show: the reference's answer with ours over it, in the fields of `toRead`. */
function toExpected(reference: Expected | undefined, ours: Expected | undefined): Record<string, unknown> {
  const merged: Record<string, unknown> = {
    parent_id: null,
    thread_id: null,
    turn_id: null,
    exception: null,
    display_name: null,
    ...reference,
    ...ours,
  }
  const {
    summary,
    wb_user_id: _,
    ...expected
  } = merged as { summary?: { usage?: unknown; weave: { status: string } }; wb_user_id?: string }
  const usage = 'summary.usage' in merged ? merged['summary.usage'] : withoutEmptyEntries(summary?.usage)
  const status = merged['summary.weave.status'] ?? summary?.weave.status ?? 'success'
  const { 'summary.usage': _usage, 'summary.weave.status': _status, ...rest } = expected as Record<string, unknown>
  return { ...rest, usage, status }
}

/** What spans say that they cost is kept; the recorded servers leave it out. */
function withoutCosts(usage: unknown): unknown {
  if (typeof usage !== 'object' || usage === null) return usage
  const kept = (counts: object) => Object.fromEntries(Object.entries(counts).filter(([name]) => name !== 'cost'))
  return Object.fromEntries(Object.entries(usage).map(([model, counts]: [string, object]) => [model, kept(counts)]))
}

/** A usage entry without members means "nothing found". */
function withoutEmptyEntries(usage: unknown): unknown {
  const entries = Object.entries((usage ?? {}) as Record<string, object>).filter(([, counts]) => Object.keys(counts).length > 0)
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

/** Number keys and lists are the same in the raw span, which has members more than the reference's. */
function normaliseRaw(raw: unknown): unknown {
  return JSON.parse(JSON.stringify(raw), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const keys = Object.keys(value)
    return keys.length > 0 && keys.every((key, index) => key === String(index)) ? Object.values(value) : value
  }) as unknown
}

describe('the recorded spans become the recorded calls', () => {
  test.each(file.vectors.map((vector) => [vector.name, vector] as const))('%s', (_name, vector) => {
    const { calls, rejections } = run(vector, fromJson(vector))
    const ours = new Map(vector.heddle?.calls.map((call) => [call.id, call]))
    const reference = new Map(vector.reference.calls?.map((call) => [call.id, call]))
    const ids = new Set([...reference.keys(), ...ours.keys()])
    expect(new Set(calls.map(({ id }) => id))).toEqual(ids)
    for (const call of calls) {
      const { otel_span, ...expected } = toExpected(reference.get(call.id), ours.get(call.id))
      const read = toRead(call)
      expect(read).toMatchObject(expected)
      for (const field of ['inputs', 'output', 'attributes', 'usage']) if (field in expected) expect(read[field]).toEqual(expected[field])
      if (otel_span !== undefined) expect(normaliseRaw(read['otel_span'])).toMatchObject(normaliseRaw(otel_span) as object)
    }
    const partial = vector.heddle ? undefined : vector.reference.partial_success
    expect(rejections.count).toBe(partial?.rejected_spans ?? 0)
    if (partial) {
      expect(rejections.message.startsWith(partial.error_message_starts)).toBe(true)
      for (const name of partial.error_message_names) expect(rejections.message).toContain(name)
    }
  })
})

describe('protobuf and JSON of the recorded spans decode to the same spans', () => {
  test.each(file.vectors.map((vector) => [vector.name, vector] as const))('%s', (_name, vector) => {
    expect(withTexts(decodeProtobuf(encodeRequest(vector.resourceSpans)))).toEqual(fromJson(vector))
  })
})
