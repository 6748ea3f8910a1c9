import { serviceName } from '../data/export-request.ts'
import type { Content } from '../data/nested-text.ts'
import { rareWord } from '../data/payload-text.ts'
import { valuesOfAttribute } from '../data/span-attributes.ts'

/** What is in the store to ask for. */
export interface Known {
  ids: readonly string[]
  longTraces: readonly string[]
  /** Time of the calls, ISO. */
  start: string
  end: string
}

export interface Question {
  name: string
  /** Turns at most. */
  turns: number
  /** Kind of data that has the requested values. Default: all. */
  content?: Content
  /** Undefined where the store holds nothing more that was not requested before. */
  ask(known: Known, turn: number): Asked | undefined
}

export interface Asked {
  path: string
  body: object
}

const pageSize = 50
/** Different values that the spans have. */
const temperatures = 9
const stream = '/calls/stream_query'
const getField = (path: string) => ({ $getField: path })
const equals = (path: string, value: string | number) => ({ $expr: { $eq: [getField(path), { $literal: value }] } })
const newestFirst = [{ field: 'started_at', direction: 'desc' }]
const halvesOf = (list: readonly string[]) => {
  const middle = Math.floor(list.length / 2)
  return { first: list.slice(0, middle), second: list.slice(middle) }
}
const traceOf = (traceId: string | undefined, page: object): Asked | undefined =>
  traceId === undefined ? undefined : { path: stream, body: { filter: { trace_ids: [traceId] }, ...page } }
const at = (list: readonly string[], turn: number) => list[(turn * 7_919) % list.length] ?? ''

/** Each turn queries other calls than the previous ones if the question allows it: earlier results may be cached. */
export const questions: readonly Question[] = [
  {
    name: 'newest 50 roots with payload',
    turns: 12,
    ask: (_, turn) => ({
      path: stream,
      body: { filter: { trace_roots_only: true }, sort_by: newestFirst, limit: pageSize, offset: pageSize * turn },
    }),
  },
  {
    name: 'newest 50 where a nested number equals',
    turns: 2 * temperatures,
    ask: (_, turn) => ({
      path: stream,
      body: {
        query: equals('attributes.model_parameters.temperature', (1 + (turn % temperatures)) / 10),
        sort_by: newestFirst,
        limit: pageSize,
        offset: pageSize * Math.floor(turn / temperatures),
      },
    }),
  },
  {
    name: 'newest 50 where an attribute of the span equals',
    turns: 10,
    ask: (_, turn) => ({
      path: stream,
      body: {
        query: equals('attributes.otel_span.attributes.app.user.tier', turn % 2 === 0 ? 'pro' : 'free'),
        sort_by: newestFirst,
        limit: pageSize,
        offset: pageSize * Math.floor(turn / 2),
      },
    }),
  },
  {
    name: 'newest 50 where a rare attribute of the span equals',
    turns: 20,
    ask: (_, turn) => ({
      path: stream,
      body: { query: equals('attributes.otel_span.attributes.app.user.id', `u${1_000 + turn}`), sort_by: newestFirst, limit: pageSize },
    }),
  },
  {
    name: 'newest 50 where an attribute of 200 values equals',
    turns: 20,
    content: 'nested',
    ask: (_, turn) => ({
      path: stream,
      body: {
        query: equals('attributes.otel_span.attributes.app.customer', `customer-${turn % valuesOfAttribute}`),
        sort_by: newestFirst,
        limit: pageSize,
      },
    }),
  },
  {
    name: 'newest 50 where an attribute of the resource equals',
    turns: 10,
    ask: (_, turn) => ({
      path: stream,
      body: {
        query: equals('attributes.otel_span.resource.attributes.service.name', serviceName),
        sort_by: newestFirst,
        limit: pageSize,
        offset: pageSize * turn,
      },
    }),
  },
  {
    name: '50 highest by a number of the span',
    turns: 10,
    ask: (_, turn) => ({
      path: stream,
      body: {
        sort_by: [{ field: 'attributes.otel_span.attributes.app.score', direction: 'desc' }],
        limit: pageSize,
        offset: pageSize * turn,
      },
    }),
  },
  {
    name: 'slowest 50',
    turns: 12,
    ask: (_, turn) => ({
      path: stream,
      body: { sort_by: [{ field: 'summary.weave.latency_ms', direction: 'desc' }], limit: pageSize, offset: pageSize * turn },
    }),
  },
  {
    name: 'a trace of 100 spans',
    turns: 15,
    ask: (known, turn) => traceOf(halvesOf(known.longTraces).first[turn], {}),
  },
  {
    name: 'a trace of 100 spans, at most 1000',
    turns: 30,
    ask: (known, turn) => traceOf(halvesOf(known.longTraces).second[turn], { limit: 1_000 }),
  },
  {
    name: 'prompt contains a rare word',
    turns: 10,
    ask: (_, turn) => {
      const $contains = { input: getField('inputs'), substr: { $literal: rareWord.slice(0, rareWord.length - (turn % 3)) } }
      return { path: stream, body: { query: { $expr: { $contains } }, limit: 50 } }
    },
  },
  {
    name: 'count where a nested number is above',
    turns: 20,
    ask: (_, turn) => ({
      path: '/calls/query_stats',
      body: { query: { $expr: { $gt: [getField('summary.usage.gpt-4o-2026.input_tokens'), { $literal: 2_000 + turn }] } } },
    }),
  },
  {
    name: 'figures by hour with percentiles',
    turns: 20,
    ask: (known) => ({
      path: '/calls/stats',
      body: {
        start: known.start,
        end: known.end,
        granularity: 3_600,
        call_metrics: [
          { metric: 'call_count', aggregations: ['sum'] },
          { metric: 'error_count', aggregations: ['sum'] },
          { metric: 'latency_ms', aggregations: ['avg'], percentiles: [50, 95, 99] },
        ],
        usage_metrics: [{ metric: 'total_tokens', aggregations: ['sum'] }],
      },
    }),
  },
  { name: 'one call by its id', turns: 40, ask: (known, turn) => ({ path: '/call/read', body: { id: at(known.ids, turn) } }) },
  { name: 'stream of 20 000 with payload', turns: 3, ask: () => ({ path: stream, body: { limit: 20_000 } }) },
]
