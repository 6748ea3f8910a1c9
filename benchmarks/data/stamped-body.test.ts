import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callRequest, type CallRequestOptions } from './call-request.ts'
import { exportRequest } from './export-request.ts'
import { createRandom } from './random.ts'

const source = () => ({ corpus: 'some words of a document '.repeat(50), random: createRandom(7) })
const aCallRequest = (options: Partial<CallRequestOptions> = {}) =>
  callRequest({ kind: 'complete', project: 'e/p', calls: 10, textBytes: 100, source: source(), ...options })
const anExport = () => exportRequest({ spans: 20, spansOfTrace: 10, textBytes: 100, source: source() })

test.each([
  ['calls', aCallRequest],
  ['spans', anExport],
])('no two requests of %s share an id', (_, make) => {
  const body = make()
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 0xffffffff }), { minLength: 2, maxLength: 20 }), (sequences) => {
      const ids = sequences.flatMap((sequence) => body.idsOf(sequence))
      expect(new Set(ids).size).toBe(sequences.length * body.calls)
    }),
  )
})

test('the ids of a request of calls are those that it says, under each sequence', () => {
  const body = aCallRequest()
  for (const sequence of [0, 1, 0xffffffff]) {
    body.stamp(sequence, 0)
    const { batch } = JSON.parse(body.bytes.toString('utf8'))
    expect(batch.map((call: { id: string }) => call.id)).toEqual(body.idsOf(sequence))
    expect(batch[1]).toMatchObject({ parent_id: batch[0].id, trace_id: batch[0].trace_id })
  }
})

test('the ids of spans are in the request', () => {
  const body = anExport()
  body.stamp(5, 0)
  expect(body.idsOf(5).filter((id) => !body.bytes.includes(Buffer.from(id, 'hex')))).toEqual([])
})

test('a request of calls starts at the given time, and ends seconds later', () => {
  const body = aCallRequest()
  body.stamp(1, Date.UTC(2026, 10, 21, 14, 47, 58))
  const { batch } = JSON.parse(body.bytes.toString('utf8'))
  expect(batch[0].started_at).toMatch(/^2026-11-21T14:47:58\.\d{6}Z$/)
  expect(batch[0].ended_at > batch[0].started_at).toBe(true)
})

test('both halves of a call have the same ids when they are made of the same seed', () => {
  expect(aCallRequest({ kind: 'end' }).idsOf(3)).toEqual(aCallRequest({ kind: 'start' }).idsOf(3))
})
