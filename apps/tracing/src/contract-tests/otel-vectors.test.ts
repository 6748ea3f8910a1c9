import { readFileSync } from 'node:fs'
import '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { encodeRequest } from '../otlp/testing/encode-request.ts'
import { startTestApp, type TestApp } from '../testing/start-test-app.ts'
import { sendRaw } from './testing/send-raw.ts'

interface ExpectedCall {
  [field: string]: unknown
  id: string
  summary?: { usage?: Record<string, object>; weave?: object }
}

interface Vector {
  name: string
  resourceSpans: Record<string, unknown>[]
  request_run_id?: string
  reference: {
    partial_success?: { rejected_spans: number; error_message_starts: string; error_message_names: string[] }
    calls?: ExpectedCall[]
  }
  heddle?: { calls: ExpectedCall[] }
}

const { vectors } = JSON.parse(readFileSync(new URL('../vectors/otel-vectors.json', import.meta.url), 'utf8')) as { vectors: Vector[] }

/** Recorded of a server that rejects names that collide, which ours keeps: there the spans only have to arrive. */
const conflictCases = new Set(['conflict-primitive-parent', 'conflict-other-order', 'real-collision-db'])

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** A part of a case in the words of a project of its own: cases share their ids. */
function inProject<T>(project_id: string, part: T): T {
  const [entity = '', project = ''] = project_id.split('/')
  const text = JSON.stringify(part)
    .replaceAll('acme/demo', project_id)
    .replaceAll('"acme"', `"${entity}"`)
    .replaceAll('"demo"', `"${project}"`)
  return JSON.parse(text) as T
}

async function readCalls(project_id: string) {
  const { body } = await sendRaw(app, { path: '/calls/query', body: { project_id } })
  return (body as { calls: Record<string, unknown>[] }).calls
}

/** A record in the terms of the cases: op digests hidden, the raw span and the usage apart. */
function toComparable(call: Record<string, unknown>) {
  const { otel_span, ...attributes } = call['attributes'] as Record<string, unknown>
  const { usage, weave } = call['summary'] as { usage?: unknown; weave: { status: string } }
  const op_name = String(call['op_name']).replace(/:[^:]+$/, ':<digest>')
  return { ...call, op_name, attributes, otel_span, usage: withoutCosts(withoutNulls(usage ?? null)), status: weave.status }
}

/** What spans say that they cost is kept; the recorded servers leave it out. */
function withoutCosts(usage: unknown): unknown {
  if (typeof usage !== 'object' || usage === null) return usage
  const kept = (counts: object) => Object.fromEntries(Object.entries(counts).filter(([name]) => name !== 'cost'))
  return Object.fromEntries(Object.entries(usage).map(([model, counts]: [string, object]) => [model, kept(counts)]))
}

/** The reference's answer with ours over it, where null and absent are the same. */
function toExpected(reference: ExpectedCall | undefined, ours: ExpectedCall | undefined): Record<string, unknown> {
  const nulls = Object.fromEntries(['parent_id', 'thread_id', 'turn_id', 'exception', 'display_name'].map((field) => [field, null]))
  const { summary, wb_user_id: _, ...merged } = { ...nulls, ...reference, ...ours } as Record<string, unknown> & Partial<ExpectedCall>
  const usage = 'summary.usage' in merged ? merged['summary.usage'] : foundUsage(summary?.usage)
  const status = merged['summary.weave.status'] ?? (summary?.weave as { status?: string } | undefined)?.status ?? 'success'
  const rest = Object.fromEntries(Object.entries(merged).filter(([field]) => !field.startsWith('summary.')))
  return { ...rest, usage, status }
}

/** A usage entry without members means "nothing found". */
function foundUsage(usage: Record<string, object> | undefined): unknown {
  const entries = Object.entries(usage ?? {}).filter(([, counts]) => Object.keys(counts).length > 0)
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

function withoutNulls(usage: unknown): unknown {
  return JSON.parse(JSON.stringify(usage), (_key, value: unknown) => (value === null ? undefined : value)) ?? null
}

/** Number keys and lists are the same in the raw span. */
function normaliseRaw(raw: unknown): object {
  return JSON.parse(JSON.stringify(raw), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const keys = Object.keys(value)
    return keys.length > 0 && keys.every((key, index) => key === String(index)) ? Object.values(value) : value
  }) as object
}

const encodings = [
  {
    type: 'application/json',
    encode: (resourceSpans: Record<string, unknown>[]): string | Uint8Array => JSON.stringify({ resourceSpans }),
  },
  { type: 'application/x-protobuf', encode: encodeRequest },
]

describe.each(encodings)('the recorded spans, sent as $type, are read as the recorded calls', ({ type, encode }) => {
  // Both encodings are decoded to the same spans (`otlp/vectors.test.ts`), so the way from there is tried with a few of the second.
  const isWhole = type === 'application/json' || inject('long')
  const cases = vectors.filter(({ name }) => !conflictCases.has(name)).filter((_, at) => isWhole || at % 10 === 0)

  const sent = new Map<string, Awaited<ReturnType<typeof send>>>()

  async function send(vector: Vector) {
    const project_id = app.newProject()
    const { resourceSpans, request_run_id: wb_run_id, ...recorded } = inProject(project_id, vector)
    const headers = { 'content-type': type, ...(wb_run_id !== undefined && { wb_run_id }) }
    const answer = await sendRaw(app, { path: '/otel/v1/traces', body: encode(resourceSpans), headers })
    return { project_id, recorded, answer }
  }

  // All are sent before the first is read, so that their rows are written together.
  beforeAll(async () => {
    await Promise.all(cases.map(async (vector) => void sent.set(vector.name, await send(vector))))
  })

  test.concurrent.each(cases.map(({ name }) => name))('%s', async (name) => {
    const { project_id, recorded, answer } = sent.get(name)!
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(type)
    if (recorded.heddle === undefined && recorded.reference.partial_success === undefined)
      expect(answer.text).toBe(type === 'application/json' ? '{}' : '')
    const ours = new Map(recorded.heddle?.calls.map((call) => [call.id, call]))
    const reference = new Map(recorded.reference.calls?.map((call) => [call.id, call]))
    const calls = await readCalls(project_id)
    expect(new Set(calls.map((call) => call['id']))).toEqual(new Set([...reference.keys(), ...ours.keys()]))
    for (const call of calls) {
      const id = String(call['id'])
      const { otel_span, ...expected } = toExpected(reference.get(id), ours.get(id))
      const read = toComparable(call)
      expect(read).toMatchObject(expected)
      for (const field of ['inputs', 'output', 'attributes', 'usage'] as const) {
        if (field in expected) expect((read as Record<string, unknown>)[field]).toEqual(expected[field])
      }
      if (otel_span !== undefined) expect(normaliseRaw(read.otel_span)).toMatchObject(normaliseRaw(otel_span))
    }
  })

  test.each(vectors.filter(({ name }) => conflictCases.has(name)).map((vector) => [vector.name, vector] as const))(
    '%s keeps its spans',
    async (_, vector) => {
      const project_id = app.newProject()
      const body = encode(inProject(project_id, vector.resourceSpans))
      expect(await sendRaw(app, { path: '/otel/v1/traces', body, headers: { 'content-type': type } })).toMatchObject({ status: 200 })
      const sent = JSON.stringify(vector.resourceSpans).match(/"spanId":"(\w+)"/g)
      expect(await readCalls(project_id)).toHaveLength(new Set(sent).size)
    },
  )
})
