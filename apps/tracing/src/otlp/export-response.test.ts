import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { expect, test } from 'vitest'
import { jsonResponse, protobufResponse } from './export-response.ts'

test('a full success is empty', () => {
  expect(protobufResponse({ rejected: 0, message: '' })).toHaveLength(0)
  expect(jsonResponse({ rejected: 0, message: '' }, 'traces')).toEqual({})
})

test.each([
  [1, 'Rejected span'],
  [300, 'é'.repeat(5000)],
  [0, 'a warning'],
  [5_000_000_000, ''],
])('%i rejected spans are read back by an exporter', (rejectedSpans, message) => {
  const { partialSuccess } = ProtobufTraceSerializer.deserializeResponse(protobufResponse({ rejected: rejectedSpans, message }))
  expect(Number(partialSuccess?.rejectedSpans ?? 0)).toBe(rejectedSpans)
  expect(partialSuccess?.errorMessage ?? '').toBe(message)
})

test('in JSON the number is text', () => {
  expect(jsonResponse({ rejected: 2, message: 'm' }, 'traces')).toEqual({ partialSuccess: { rejectedSpans: '2', errorMessage: 'm' } })
  expect(jsonResponse({ rejected: 0, message: 'm' }, 'traces')).toEqual({ partialSuccess: { errorMessage: 'm' } })
})
