import { isJsonNumber, numberText } from '@heddle/core-api/internal'
import { callsTable, rowReader, type CallRow } from '@heddle/datastore'
import { parseJson } from '@heddle/json'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { hostileJson, jsonGrammar } from '../../otlp/testing/hostile-json.ts'
import type { Piece } from '../../otlp/testing/hostile-piece.ts'
import { hostileProtobuf, protobufGrammar } from '../../otlp/testing/hostile-protobuf.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'
import { unindexedEntries, indexPath, type IndexedPath } from '../../query/index-path.ts'
import { plainNumberText } from '../../query/number-text.ts'
import { rawSpanParts } from '../../query/fields/raw-span-parts.ts'
import { fillRawSpan } from '../../payload/raw-span-text.ts'
import { prepareSpans } from './prepare-spans.ts'
import type { PreparedSpans } from './span-request.ts'

const forms = [
  { encoding: 'protobuf', contentType: 'application/x-protobuf', hostile: hostileProtobuf, grammar: protobufGrammar },
  { encoding: 'json', contentType: 'application/json', hostile: hostileJson, grammar: jsonGrammar },
] as const
const options = { conflicts: 'keep', maskSecrets: true } as const
const reader = rowReader(callsTable)
const insides = /node_modules|\.ts:\d|at \w+ \(|DB::|SQLITE/

/** The index has each scalar of a raw span as the span has it, or lists a gap there; and nothing that the span has not. */
function checkRawSpanIndex(row: CallRow): void {
  const entries = row.idx.flatMap((path, at): [string, string][] => (at % 2 === 0 ? [[path, row.idx[at + 1] ?? '']] : []))
  const held = new Map(entries)
  expect(held.size, 'different paths').toBe(entries.length)
  const { spanAttributes, resourceAttributes } = rawSpanParts(parseJson(fillRawSpan(row.otel, row)))
  const whole = [
    ...scalarsOf(spanAttributes, { root: 'spanAttributes', segments: [] }),
    ...scalarsOf(resourceAttributes, { root: 'resourceAttributes', segments: [] }),
  ]
  for (const { place, text } of whole) {
    const path = indexPath(place)
    if (held.has(path)) expect({ path, text: held.get(path) }).toEqual({ path, text })
    else
      expect(
        row.idx_gaps === '*' || unindexedEntries(place).some((entry) => row.idx_gaps.includes(entry)),
        `${path} in ${row.idx_gaps}`,
      ).toBe(true)
  }
  const known = new Set(whole.map(({ place }) => indexPath(place)))
  expect([...held.keys()].filter((path) => /^(span|res)\./.test(path) && !known.has(path))).toEqual([])
}

/** Nulls are as good as absent. */
function scalarsOf(value: unknown, { root, segments }: IndexedPath): { place: IndexedPath; text: string | undefined }[] {
  if (value === null || value === undefined || segments.length > 20) return []
  if (isJsonNumber(value) || typeof value !== 'object') {
    const text = typeof value === 'string' || typeof value === 'boolean' ? String(value) : plainNumberText(numberText(value) ?? '')
    return segments.length === 0 ? [] : [{ place: { root, segments }, text }]
  }
  return Object.entries(value).flatMap(([key, member]) => scalarsOf(member, { root, segments: [...segments, key] }))
}

/** What the rows hold is readable as it was written. */
function readRows({ rows, ends }: PreparedSpans): void {
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength)
  ends.forEach((_, index) => {
    const row = reader.open(bytes, index === 0 ? 0 : (ends[index - 1] as number)).toRow()
    for (const text of [row.inputs, row.output, row.attributes, row.summary]) JSON.parse(text)
    expect(row.project_id).toBe('e/p')
    checkRawSpanIndex(row)
  })
}

describe.each(forms)('a hostile request in $encoding', ({ encoding, hostile, grammar }) => {
  test('is refused with a reason or becomes rows, by every rule of the grammar', () => {
    const met = new Set<string>()
    const outcomes = { prepared: 0, refused: 0 }
    const check = ({ bytes, rules }: Piece) => {
      for (const rule of rules) met.add(rule)
      // A buffer of its own, as one that crosses threads has.
      const request = { bytes: new Uint8Array(bytes), encoding, headers: { project: 'e/p', run: undefined }, options, userId: 'u' }
      const answer = prepareSpans(request)
      outcomes[answer.status]++
      if (answer.status === 'prepared') return readRows(answer)
      expect(answer.reason).not.toBe('')
      expect(answer.reason.length).toBeLessThan(1_000)
      expect(answer.reason).not.toMatch(insides)
    }
    fc.assert(fc.property(hostile, check), { numRuns: trials({ usual: 600, long: 50_000 }) })
    expect([...met].toSorted()).toEqual([...grammar.names].toSorted())
    expect(Math.min(outcomes.prepared, outcomes.refused)).toBeGreaterThan(100)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  }, 1_200_000)
})

describe('over HTTP', () => {
  let app: TestApp
  const failures: unknown[] = []
  const refusedRows: unknown[] = []
  beforeAll(async () => {
    app = await startTestApp({
      own: { onRefused: (refusal) => void refusedRows.push(refusal) },
      service: { log: { info() {}, error: (...told: unknown[]) => void failures.push(told) } },
    })
  })
  afterAll(() => app.close())

  test.each(forms)(
    'hostile requests in $encoding are answered as documented, and what was accepted reaches the table',
    async ({ contentType, hostile }) => {
      const project = app.newProject()
      const send = (bytes: Uint8Array, type: string) =>
        sendRaw(app, { path: '/otel/v1/traces', body: bytes, headers: { 'content-type': type, project_id: project } })
      const property = fc.asyncProperty(hostile, async ({ bytes }) => {
        const { status, text } = await send(new Uint8Array(bytes), contentType)
        expect([200, 400, 403, 413, 422], `${status} ${text} ${JSON.stringify(failures)}`).toContain(status)
        if (status !== 200) expect(text).not.toMatch(insides)
      })
      await fc.assert(property, { numRuns: trials({ usual: 20, long: 3_000 }) })
      const good =
        '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0000000000000000000000000000abcd","spanId":"000000000000abcd","name":"fine"}]}]}]}'
      expect((await send(Buffer.from(good), 'application/json')).status).toBe(200)
      const call = await app.client.calls.read({ project_id: project, id: '000000000000abcd' })
      expect(call.call).toMatchObject({ trace_id: '0000000000000000000000000000abcd' })
      expect(refusedRows).toEqual([])
      expect(failures).toEqual([])
    },
    1_200_000,
  )
})
