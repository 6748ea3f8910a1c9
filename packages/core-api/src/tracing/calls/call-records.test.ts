import { describe, expect, test } from 'vitest'
import { tracing } from '../index.ts'
import { CompletedCall, EndedCall, StartedCall } from './call-records.ts'

const started = { project_id: 'e/p', op_name: 'op', started_at: '2026-01-02T03:04:05Z', attributes: {}, inputs: {} }
const ended = { project_id: 'e/p', id: 'c', ended_at: 1767323046, summary: {} }
const numberAs = (text: string) => ({ [Symbol.for('heddle.JsonNumber')]: true, text })
const fault = (summary: unknown) => EndedCall.safeParse({ ...ended, summary }).error?.issues.map(({ path }) => path.slice(1).join('.'))

test('payloads are passed on untouched, by reference', () => {
  const inputs = JSON.parse('{"__proto__": {"a": 1}, "n": [null]}') as object
  const output = [numberAs('1.0')]
  const summary = { usage: { m: { prompt_tokens: 1, note: {} } }, mine: 1 }
  const call = CompletedCall.parse({ ...started, ...ended, trace_id: 't', inputs, output, summary })
  expect(call.inputs).toBe(inputs)
  expect(call.output).toBe(output)
  expect(call.summary).toBe(summary)
})

test('fields that are not given are null, and unknown ones are ignored', () => {
  const call = StartedCall.parse({ ...started, trace_id: null, brand_new: 1 })
  expect(call).toMatchObject({ id: null, trace_id: null, parent_id: null, wb_run_step: null, started_at: 1767323045000000 })
  expect(call).not.toHaveProperty('brand_new')
  expect(EndedCall.parse(ended)).toMatchObject({ output: null, exception: null, started_at: null })
})

test.each(['project_id', 'op_name', 'started_at', 'attributes', 'inputs'])('a start needs %s', (field) => {
  const { error } = StartedCall.safeParse({ ...started, [field]: undefined })
  expect(error?.issues).toMatchObject([{ code: 'invalid_type', path: [field] }])
})

test.each(['project_id', 'id', 'ended_at', 'summary'])('an end needs %s', (field) => {
  expect(EndedCall.safeParse({ ...ended, [field]: undefined }).error?.issues).toMatchObject([{ code: 'invalid_type', path: [field] }])
})

describe('summary', () => {
  test('counts may come as text or as a number with a zero fraction', () => {
    const usage = { m: { prompt_tokens: '12', total_tokens: numberAs('3.0'), requests: null, cost: '1.5' } }
    const { summary } = EndedCall.parse({ ...ended, summary: { usage, status_counts: { success: '1' } } })
    expect(summary).toEqual({
      usage: { m: { prompt_tokens: 12, total_tokens: 3, requests: null, cost: '1.5' } },
      status_counts: { success: 1 },
    })
  })

  test('a count beyond 2^53 keeps its digits', () => {
    const big = numberAs('9007199254740993')
    expect(EndedCall.parse({ ...ended, summary: { usage: { m: { total_tokens: big } } } }).summary).toEqual({
      usage: { m: { total_tokens: big } },
    })
  })

  test.each<[unknown, string]>([
    [{ usage: null }, 'usage'],
    [{ usage: [] }, 'usage'],
    [{ usage: { m: null } }, 'usage.m'],
    [{ usage: { m: { prompt_tokens: 1.5 } } }, 'usage.m.prompt_tokens'],
    [{ usage: { m: { prompt_tokens: true } } }, 'usage.m.prompt_tokens'],
    [{ status_counts: { done: 1 } }, 'status_counts.done'],
    [{ status_counts: { success: null } }, 'status_counts.success'],
    [[], ''],
    [null, ''],
  ])('%j is refused at "%s"', (summary, path) => expect(fault(summary)).toEqual([path]))
})

describe('a batch', () => {
  const parse = (item: unknown) => tracing.calls.upsertBatch.body.safeParse({ batch: [item] })

  test('takes a half without a mode', () => {
    expect(parse({ req: { start: started } }).success).toBe(true)
    expect(parse({ mode: 'end', req: { start: null, end: ended } }).success).toBe(true)
  })

  test.each([{}, { start: started, end: ended }, { start: null }])('refuses %j as one half', (req) => {
    expect(parse({ req }).error?.issues).toMatchObject([{ path: ['batch', 0, 'req'] }])
  })

  test('names the place of a missing field', () => {
    const { op_name: _, ...rest } = started
    expect(parse({ mode: 'start', req: { start: rest } }).error?.issues).toMatchObject([{ path: ['batch', 0, 'req', 'start', 'op_name'] }])
  })
})
