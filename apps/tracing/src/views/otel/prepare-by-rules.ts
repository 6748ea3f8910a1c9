import { callsTable, rowEncoders, type EncodableRow } from '@heddle/datastore'
import { parseJson, ScratchBuffer } from '@heddle/json'
import { decodeJson } from '../../otlp/decode/decode-json.ts'
import { decodeProtobuf } from '../../otlp/decode/decode-protobuf.ts'
import { mapRequest } from '../../otlp/map/map-request.ts'
import type { MappedSpan } from '../../otlp/map/map-span.ts'
import type { DecodedRequest } from '../../otlp/span.ts'
import type { RootIndex } from '../../query/build-index.ts'
import { toRefusal } from './refusal.ts'
import type { PreparedRequest, PreparedSpans, SpanRequest } from './span-request.ts'
import { toSpanRow } from './span-row.ts'

const encoders = rowEncoders(callsTable)

/** Keys and values of a request in JSON. An attribute has seven in 50 bytes, so real spans of the largest request have no more. */
export const maxValues = 5_000_000

/** Upper estimate of a row's bytes beyond those sent: a buffer that is too small is copied to one of twice its size. */
const rowOverhead = 2_500

/** Decodes and maps an export request, up to the bytes that are stored. Uses nothing but its argument, so it may run in any thread. */
export function prepareByRules(request: SpanRequest): PreparedRequest {
  try {
    const { calls, rejections } = mapRequest(decode(request), request.headers, request.options)
    return { status: 'prepared', ...encode(calls, request), rejected: rejections.count, message: rejections.message }
  } catch (error) {
    return toRefusal(error)
  }
}

/** The row of the only span of a request; undefined if the span is refused, or there is a message about it. */
export function rowByRules(request: SpanRequest): EncodableRow<typeof callsTable> | undefined {
  try {
    const { calls, rejections } = mapRequest(decode(request), request.headers, request.options)
    const [span] = calls
    const isPlain = calls.length === 1 && rejections.count === 0 && rejections.message === ''
    return isPlain && span ? toSpanRow(span, { userId: request.userId, scratch: new ScratchBuffer(), resources: new Map() }) : undefined
  } catch {
    return undefined
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
