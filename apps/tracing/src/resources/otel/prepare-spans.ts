import { isApiError } from '@heddle/core-api'
import { callsTable, rowEncoders } from '@heddle/datastore'
import { parseJson, ScratchBuffer } from '@heddle/json'
import { decodeJson } from '../../otlp/decode/decode-json.ts'
import { decodeProtobuf } from '../../otlp/decode/decode-protobuf.ts'
import { DecodeError } from '../../otlp/decode/decode-error.ts'
import { mapRequest, type ExportHeaders } from '../../otlp/map/map-request.ts'
import type { MappedSpan, MappingOptions } from '../../otlp/map/map-span.ts'
import type { DecodedRequest } from '../../otlp/span.ts'
import type { RootIndex } from '../../query/build-index.ts'
import { toSpanRow } from './span-row.ts'

/** An export request as it arrived. */
export interface SpanRequest {
  bytes: Uint8Array
  encoding: 'protobuf' | 'json'
  headers: ExportHeaders
  options: MappingOptions
  /** Who sent it. */
  userId: string
  /** The rows are written into it where they fit. */
  rowBuffer?: ArrayBuffer
}

/** A request ready to be stored, or why it cannot be. Plain data: it crosses threads. */
export type PreparedRequest = PreparedSpans | { status: 'refused'; code: 'bad_request' | 'too_large'; reason: string }

export interface PreparedSpans {
  status: 'prepared'
  /** The rows of the calls that the spans become, one after the other. The buffer is theirs alone. */
  rows: Uint8Array
  /** Where each row ends. */
  ends: number[]
  rejected: number
  message: string
}

const encoders = rowEncoders(callsTable)

/** Keys and values of a request in JSON. An attribute has seven in 50 bytes, so real spans of the largest request have no more. */
const maxValues = 5_000_000

/** More than what a row usually takes beside what was sent: a buffer that is too small is copied to one of twice its size. */
const rowOverhead = 2_500

/** Decodes and maps an export request, up to the bytes that are stored. Uses nothing but its argument, so it may run in any thread. */
export function prepareSpans(request: SpanRequest): PreparedRequest {
  try {
    const { calls, rejections } = mapRequest(decode(request), request.headers, request.options)
    return { status: 'prepared', ...encode(calls, request), rejected: rejections.spans, message: rejections.message }
  } catch (error) {
    if (error instanceof DecodeError)
      return { status: 'refused', code: error.failure === 'malformed' ? 'bad_request' : 'too_large', reason: error.message }
    if (isApiError(error))
      return { status: 'refused', code: error.code === 'too_large' ? 'too_large' : 'bad_request', reason: error.message }
    throw error
  }
}

function decode({ bytes, encoding }: SpanRequest): DecodedRequest {
  return encoding === 'protobuf' ? decodeProtobuf(bytes) : decodeJson(bytes, (source) => parseJson(source, { maxValues }))
}

function encode(calls: readonly MappedSpan[], { bytes, userId, rowBuffer }: SpanRequest): Pick<PreparedSpans, 'rows' | 'ends'> {
  const expectedBytes = bytes.byteLength + (calls.length + 1) * rowOverhead
  const encoder = encoders(rowBuffer && rowBuffer.byteLength >= expectedBytes ? Buffer.from(rowBuffer) : expectedBytes)
  const scratch = new ScratchBuffer()
  const resources = new Map<unknown, RootIndex>()
  const ends = calls.map((span) => {
    encoder.add(toSpanRow(span, { userId, scratch, resources }))
    scratch.clear()
    return encoder.byteLength
  })
  return { rows: encoder.finish().bytes, ends }
}
