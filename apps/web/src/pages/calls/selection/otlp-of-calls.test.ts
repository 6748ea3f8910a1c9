import { expect, test } from 'vitest'
import { parseExactJson, stringifyJson } from '@heddle/json/exact'
import { otlpOfCalls } from './otlp-of-calls.ts'

const span = (fields: object = {}) => ({
  attributes: {
    otel_span: {
      name: 'Chat',
      context: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), trace_state: '' },
      kind: 'CLIENT',
      parent_id: null,
      start_time: '2026-03-02T00:00:01.000250',
      end_time: null,
      status: { code: 'UNSET', message: '' },
      attributes: {},
      events: [],
      links: [],
      resource: { attributes: { service: { name: 'shop' } }, dropped_attributes_count: 0 },
      scope: { name: 'agent', version: '1' },
      ...fields,
    },
  },
})

const onlySpan = (fields: object) => otlpOfCalls([span(fields)]).request.resourceSpans[0]?.scopeSpans[0]?.spans[0]

test('a stored span is a span of the protocol again', () => {
  expect(otlpOfCalls([span()])).toEqual({
    leftOut: 0,
    request: {
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
          scopeSpans: [
            {
              scope: { name: 'agent', version: '1' },
              spans: [
                {
                  traceId: 'a'.repeat(32),
                  spanId: 'b'.repeat(16),
                  name: 'Chat',
                  kind: 3,
                  startTimeUnixNano: '1772409601000250000',
                  attributes: [],
                  events: [],
                  links: [],
                  status: { code: 0, message: '' },
                },
              ],
            },
          ],
        },
      ],
    },
  })
})

test.each([
  [{ parent_id: 'c'.repeat(16) }, { parentSpanId: 'c'.repeat(16) }],
  [{ end_time: '2026-03-02T00:00:02' }, { endTimeUnixNano: '1772409602000000000' }],
  [{ start_time: '1970-01-01T00:00:00.000001' }, { startTimeUnixNano: '1000' }],
  [{ status: { code: 'ERROR', message: 'no' } }, { status: { code: 2, message: 'no' } }],
  [
    { events: [{ name: 'e', timestamp: 1000, attributes: { a: true } }] },
    { events: [{ timeUnixNano: '1000', name: 'e', attributes: [{ key: 'a', value: { boolValue: true } }] }] },
  ],
  [
    { attributes: { gen_ai: { usage: { input_tokens: 3 }, temperature: 0.5 }, list: ['a', { b: 1 }], none: null } },
    {
      attributes: [
        { key: 'gen_ai.usage.input_tokens', value: { intValue: '3' } },
        { key: 'gen_ai.temperature', value: { doubleValue: 0.5 } },
        {
          key: 'list',
          value: { arrayValue: { values: [{ stringValue: 'a' }, { kvlistValue: { values: [{ key: 'b', value: { intValue: '1' } }] } }] } },
        },
      ],
    },
  ],
])('%j of a stored span is %j', (fields, sent) => expect(onlySpan(fields)).toMatchObject(sent))

test('spans stand with their resource and scope, and other calls are counted', () => {
  const other = { scope: { name: 'tools', version: '' } }
  const { request, leftOut } = otlpOfCalls([span(), span(other), span(), { attributes: {} }, span({ resource: { attributes: {} } })])
  expect(leftOut).toBe(1)
  expect(request.resourceSpans.map(({ scopeSpans }) => scopeSpans.map(({ spans }) => spans.length))).toEqual([[2, 1], [1]])
})

test('numbers of attributes keep their digits and their kind', () => {
  const attributes = parseExactJson('{"id":1234567890123456789,"share":1.0,"huge":12345678901234567890}')
  expect(stringifyJson(onlySpan({ attributes })?.attributes)).toBe(
    '[{"key":"id","value":{"intValue":"1234567890123456789"}},{"key":"share","value":{"doubleValue":1.0}},{"key":"huge","value":{"doubleValue":12345678901234567890}}]',
  )
})
