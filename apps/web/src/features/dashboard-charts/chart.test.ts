import { expect, test } from 'vitest'
import { consistent, formsOf, groupingsOf, measures, newChart } from './chart.ts'
import { callsSearchOf } from './chart-link.ts'
import { toCallsRequest, toFeedbackRequest } from './chart-request.ts'

const chart = newChart('a')

test.each([
  ['calls', ['model', 'op', 'user', 'thread']],
  ['latency_p95', ['model', 'op', 'user', 'thread']],
  ['tokens', ['model', 'op', 'user', 'thread']],
  ['feedback', []],
] as const)('%s can be split by %j', (measure, groups) => expect(groupingsOf(measure)).toEqual(groups))

test.each([
  ['calls', null, ['line', 'bars', 'number', 'table']],
  ['calls', 'op', ['line', 'bars', 'table']],
  ['latency_p95', null, ['line', 'bars', 'number', 'table']],
  ['error_rate', 'op', ['line', 'table']],
  ['feedback', null, ['line', 'number', 'table']],
] as const)('%s by %s can be shown as %j', (measure, by, forms) => expect(formsOf({ measure, by })).toEqual(forms))

test('with another measure, a chart loses what that does not have', () => {
  const byModel = { ...chart, measure: 'cost' as const, by: 'model' as const, filter: 'a = 1', level: 'all' as const }
  expect(consistent({ ...byModel, measure: 'calls' })).toMatchObject({ by: 'model', form: 'bars', filter: 'a = 1' })
  expect(consistent({ ...byModel, measure: 'feedback' })).toMatchObject({ by: null, form: 'line', filter: '', level: 'roots' })
  expect(consistent({ ...byModel, by: 'op', measure: 'latency_p50' })).toMatchObject({ by: 'op', form: 'line' })
  for (const measure of measures) expect(formsOf(consistent({ ...byModel, measure })).length).toBeGreaterThan(0)
})

test.each([
  [{ measure: 'calls' }, { call_metrics: [{ metric: 'call_count' }] }],
  [
    { measure: 'errors', level: 'all' },
    { call_metrics: [{ metric: 'error_count' }], filter: { trace_roots_only: false } },
  ],
  [{ measure: 'error_rate' }, { call_metrics: [{ metric: 'error_count' }], filter: { trace_roots_only: true } }],
  [
    { measure: 'latency_p99', by: 'op' },
    { call_metrics: [{ metric: 'latency_ms', aggregations: ['count'], percentiles: [99] }], group_by: 'op', group_limit: 8 },
  ],
  [
    { measure: 'tokens', by: 'user', form: 'table' },
    { usage_metrics: [{ metric: 'total_tokens' }], counted_usage: true, group_limit: 100 },
  ],
] as const)('the chart %j asks for %j', (part, request) => expect(toCallsRequest({ ...chart, ...part }, '24h')).toMatchObject(request))

test('models are groups of a request for calls, and not of one for uses, which come by model anyway', () => {
  expect(toCallsRequest({ ...chart, measure: 'latency_p95', by: 'model' }, '7d')).toMatchObject({ group_by: 'model', group_limit: 8 })
  expect(toCallsRequest({ ...chart, measure: 'cost', by: 'model' }, '7d')).not.toHaveProperty('group_by')
})

test('a filter is what the table of calls asks for; one that cannot be read is no request for all', () => {
  expect(toCallsRequest({ ...chart, filter: ' a = 1 ' }, '7d').query).toEqual({ $expr: { $eq: [{ $getField: 'a' }, { $literal: 1 }] } })
  expect(toCallsRequest({ ...chart, filter: ' ' }, '7d')).not.toHaveProperty('query')
  expect(() => toCallsRequest({ ...chart, filter: 'a =' }, '7d')).toThrow('a value')
})

test('a chart of the whole range asks for one part, others for 24', () => {
  const granularityOf = (part: Partial<typeof chart>) => toCallsRequest({ ...chart, ...part }, '24h').granularity
  expect(granularityOf({})).toBe(3_600)
  expect(granularityOf({ form: 'table' })).toBe(3_600)
  for (const part of [{ form: 'number' }, { form: 'table', by: 'op' }] as const) expect(granularityOf(part)).toBeGreaterThan(31 * 86_400)
})

test('values of feedback are requested by their type', () => {
  const request = (isRate: boolean) => toFeedbackRequest(chart, { type: 't', path: 'output.x', isRate }, '24h')
  expect(request(true)).toMatchObject({ feedback_type: 't', metrics: [{ json_path: 'output.x', value_type: 'boolean' }] })
  expect(request(false).metrics[0]).toMatchObject({ value_type: 'numeric' })
})

const time = { startedAt: '2026-01-01T00:00:00Z', endedAt: '2026-01-01T01:00:00Z' }
const inTime = [
  { path: 'started_at', operator: '>=', value: time.startedAt },
  { path: 'started_at', operator: '<', value: time.endedAt },
]

test('up to now, a time has no end', () => {
  expect(callsSearchOf(chart, { startedAt: time.startedAt })).toEqual({ where: [inTime[0]] })
})

test.each([
  [{}, undefined, { where: inTime }],
  [{ measure: 'errors', level: 'all', filter: 'a = 1' }, undefined, { where: inTime, level: 'all', status: 'error', filter: 'a = 1' }],
  [{ measure: 'latency_p95' }, undefined, { where: inTime, sort: 'slowest' }],
  [{ measure: 'cost' }, undefined, { where: inTime, level: 'all' }],
  [{ by: 'user' }, { key: 'ada' }, { where: [...inTime, { path: 'wb_user_id', operator: '=', value: 'ada' }] }],
  [{ by: 'thread' }, { key: null }, { where: [...inTime, { path: 'thread_id', operator: '=', value: null }] }],
] as const)('behind the chart %j of %j are the calls %j', (part, series, search) =>
  expect(callsSearchOf({ ...chart, ...part }, time, series)).toEqual(search),
)
