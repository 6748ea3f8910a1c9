import type { ExportHeaders } from '../../otlp/map/map-request.ts'
import type { MappingOptions } from '../../otlp/map/map-span.ts'
import type { Refusal } from './refusal.ts'

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
export type PreparedRequest = PreparedSpans | Refusal

export interface PreparedSpans {
  status: 'prepared'
  /** The rows of the calls that the spans become, one after the other. The buffer is theirs alone. */
  rows: Uint8Array
  /** Where each row ends. */
  ends: number[]
  rejected: number
  message: string
}
