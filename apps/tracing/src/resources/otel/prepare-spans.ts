import { isApiError, JsonText } from '@heddle/core-api'
import { parseJson } from '@heddle/service-kit/json'
import { decodeJson } from '../../otlp/decode-json.ts'
import { decodeProtobuf } from '../../otlp/decode-protobuf.ts'
import { DecodeError } from '../../otlp/decode-error.ts'
import { mapRequest, type ExportHeaders } from '../../otlp/map-request.ts'
import { writeRawSpan } from '../../otlp/raw-span.ts'
import { textOfPieces } from '../../payload/write-json.ts'
import type { MappedSpan, MappingOptions } from '../../otlp/map-span.ts'
import type { DecodedRequest } from '../../otlp/span.ts'
import { completeChange, type CompleteChange, type JsonObject } from '../calls/call-change.ts'

/** An export request as it arrived. */
export interface SpanRequest {
  bytes: Uint8Array
  encoding: 'protobuf' | 'json'
  headers: ExportHeaders
  options: MappingOptions
}

/** A span as the change of the call that it becomes; its op name and its writer are filled in when they are known. */
export interface PreparedSpan {
  /** `entity/project`. */
  project: string
  /** Object id of the op. */
  opId: string
  change: CompleteChange
}

/** A request ready to be stored, or why it cannot be. Plain data: it crosses threads. */
export type PreparedRequest =
  | { status: 'prepared'; spans: PreparedSpan[]; rejected: number; message: string }
  | { status: 'refused'; code: 'bad_request' | 'too_large'; reason: string }

/** Decodes and maps an export request, up to the texts that are stored. Uses nothing but its argument, so it may run in any thread. */
export function prepareSpans(request: SpanRequest): PreparedRequest {
  try {
    const { calls, rejections } = mapRequest(decode(request), request.headers, request.options)
    return { status: 'prepared', spans: calls.map(toPreparedSpan), rejected: rejections.spans, message: rejections.message }
  } catch (error) {
    if (error instanceof DecodeError)
      return { status: 'refused', code: error.failure === 'malformed' ? 'bad_request' : 'too_large', reason: error.message }
    if (isApiError(error))
      return { status: 'refused', code: error.code === 'too_large' ? 'too_large' : 'bad_request', reason: error.message }
    throw error
  }
}

function decode({ bytes, encoding }: SpanRequest): DecodedRequest {
  return encoding === 'protobuf' ? decodeProtobuf(bytes) : decodeJson(bytes, parseJson)
}

function toPreparedSpan(span: MappedSpan): PreparedSpan {
  const start = {
    trace_id: span.trace_id,
    parent_id: span.parent_id,
    op_name: '',
    display_name: span.display_name,
    thread_id: span.thread_id,
    turn_id: span.turn_id,
    started_at: span.started_at,
    attributes: span.attributes as JsonObject,
    inputs: span.inputs as JsonObject,
    otel: new JsonText(textOfPieces(writeRawSpan(span.rawSpan, span))),
    wb_user_id: '',
    wb_run_id: span.wb_run_id,
    wb_run_step: span.wb_run_step,
  }
  const end = {
    ended_at: span.ended_at,
    exception: span.exception,
    output: span.output,
    summary: span.summary as JsonObject,
    wb_run_step_end: span.wb_run_step_end,
  }
  return { project: span.project, opId: span.opId, change: completeChange(span.id, start, end) }
}
