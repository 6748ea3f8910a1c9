import type { JsonValue } from './json-value.ts'
import type { Attributes, Resource } from './span.ts'

/** A log record of OpenTelemetry as it was sent. Ids are lower-case hex of whatever length was sent, `''` where none was. */
export interface LogRecord {
  traceId: string
  spanId: string
  /** Nanoseconds since 1970: when it happened, else when it was observed; 0 if neither is set. */
  timeNs: bigint
  /** `''` if the record is not an event, or has its name in the attribute `event.name`. */
  eventName: string
  /** Null where none was sent. */
  body: JsonValue
  attributes: Attributes
}

export interface ResourceLogs {
  /** Null when it was not sent. */
  resource: Resource | null
  records: LogRecord[]
}

/** A decoded export request of log records. */
export interface DecodedLogs {
  resources: ResourceLogs[]
  /** Texts in which invalid UTF-8 was replaced by U+FFFD. */
  replacedTexts: number
}
