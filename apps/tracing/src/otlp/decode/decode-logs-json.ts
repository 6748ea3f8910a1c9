import type { DecodedLogs, LogRecord, ResourceLogs } from '../log-record.ts'
import { isJsonObject, type JsonValue } from '../json-value.ts'
import {
  asObject,
  malformed,
  type ParseJson,
  read,
  readAttributes,
  readId,
  readList,
  readNanoseconds,
  readText,
  toResource,
  toValue,
} from './json-fields.ts'

/**
 * Decodes an export request of log records in OTLP/JSON, as `decodeJson` does those of spans.
 * @throws DecodeError when the JSON is no such request or a value is nested too deeply; the message names the location
 */
export function decodeLogsJson<Source extends string | Uint8Array>(source: Source, parse: ParseJson<Source>): DecodedLogs {
  const root = parse(source) as JsonValue
  if (!isJsonObject(root)) throw malformed('the export request', 'an object', root)
  return { resources: readList(root, 'resourceLogs', 'resource_logs').map(toResourceLogs), replacedTexts: 0 }
}

function toResourceLogs(value: JsonValue): ResourceLogs {
  const object = asObject(value, 'resourceLogs')
  const resource = read(object, 'resource')
  return {
    resource: resource === undefined ? null : toResource(asObject(resource, 'resource')),
    records: readList(object, 'scopeLogs', 'scope_logs').flatMap((scope) =>
      readList(asObject(scope, 'scopeLogs'), 'logRecords', 'log_records').map(toRecord),
    ),
  }
}

function toRecord(value: JsonValue): LogRecord {
  const object = asObject(value, 'logRecords')
  return {
    traceId: readId(object, 'traceId', 'trace_id'),
    spanId: readId(object, 'spanId', 'span_id'),
    timeNs:
      readNanoseconds(object, 'timeUnixNano', 'time_unix_nano') ||
      readNanoseconds(object, 'observedTimeUnixNano', 'observed_time_unix_nano'),
    eventName: readText(object, 'eventName', 'event_name'),
    body: toValue(read(object, 'body'), 0),
    attributes: readAttributes(object),
  }
}
