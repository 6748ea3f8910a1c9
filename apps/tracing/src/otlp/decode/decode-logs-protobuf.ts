import type { DecodedLogs, LogRecord, ResourceLogs } from '../log-record.ts'
import { ProtobufReader } from './protobuf-reader.ts'
import { RequestParts, tag } from './request-parts.ts'

/**
 * Decodes an `ExportLogsServiceRequest`. Unknown fields and fields of another wire type are ignored; invalid UTF-8 is replaced and counted.
 * @throws DecodeError when the bytes are no such message, are nested too deeply, or hold many more parts than real records of that size do.
 */
export function decodeLogsProtobuf(bytes: Uint8Array): DecodedLogs {
  const reader = new ProtobufReader(bytes)
  const resources = new LogDecoder(reader).request()
  return { resources, replacedTexts: reader.replacedTexts }
}

class LogDecoder {
  readonly #reader: ProtobufReader
  readonly #parts: RequestParts

  constructor(reader: ProtobufReader) {
    this.#reader = reader
    this.#parts = new RequestParts(reader)
  }

  request(): ResourceLogs[] {
    const reader = this.#reader
    const resources: ResourceLogs[] = []
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) resources.push(this.#resourceLogs())
      else reader.skip(next)
    }
    return resources
  }

  #resourceLogs(): ResourceLogs {
    const reader = this.#reader
    this.#parts.countRecord()
    const result: ResourceLogs = { resource: null, records: [] }
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(1, 2)) this.#parts.resource((result.resource ??= { attributes: [], droppedAttributesCount: 0 }))
      else if (next === tag(2, 2)) this.#scopeLogs(result.records)
      else reader.skip(next)
    }
    reader.leave(outer)
    return result
  }

  #scopeLogs(records: LogRecord[]): void {
    const reader = this.#reader
    this.#parts.countRecord()
    const outer = reader.enter()
    while (reader.hasMore) {
      const next = reader.readTag()
      if (next === tag(2, 2)) records.push(this.#record())
      else reader.skip(next)
    }
    reader.leave(outer)
  }

  #record(): LogRecord {
    const reader = this.#reader
    this.#parts.countRecord()
    const record = { traceId: '', spanId: '', timeNs: 0n, observedNs: 0n, eventName: '', body: null, attributes: [] }
    const outer = reader.enter()
    while (reader.hasMore) this.#field(record, reader.readTag())
    reader.leave(outer)
    const { observedNs, ...sent } = record
    return { ...sent, timeNs: sent.timeNs || observedNs }
  }

  #field(record: LogRecord & { observedNs: bigint }, next: number): void {
    const reader = this.#reader
    if (next === tag(1, 1)) record.timeNs = reader.readFixed64()
    else if (next === tag(5, 2)) record.body = this.#parts.value(0)
    else if (next === tag(6, 2)) this.#parts.attribute(record.attributes)
    else if (next === tag(9, 2)) record.traceId = reader.readHex()
    else if (next === tag(10, 2)) record.spanId = reader.readHex()
    else if (next === tag(11, 1)) record.observedNs = reader.readFixed64()
    else if (next === tag(12, 2)) record.eventName = reader.readKey()
    else reader.skip(next)
  }
}
