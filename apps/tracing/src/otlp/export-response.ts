/** What of an export request was not stored. */
export interface PartialSuccess {
  /** Spans or log records, as the signal of the request has them. */
  rejected: number
  /** `''` for none. With nothing rejected it is a warning. */
  message: string
}

/** What JSON calls the number of rejected records, by the signal. */
const rejectedNames = { traces: 'rejectedSpans', logs: 'rejectedLogRecords' } as const
export type Signal = keyof typeof rejectedNames

const encoder = new TextEncoder()

/** The answer in protobuf, which has the same form for both signals: empty when everything was stored without a warning. */
export function protobufResponse({ rejected, message }: PartialSuccess): Uint8Array {
  const text = encoder.encode(message)
  const inner: number[] = []
  if (rejected > 0) inner.push(0x08, ...varint(rejected))
  const head = text.length > 0 ? [0x12, ...varint(text.length)] : []
  const size = inner.length + head.length + text.length
  if (size === 0) return new Uint8Array()
  return Uint8Array.from([0x0a, ...varint(size), ...inner, ...head, ...text])
}

/** The answer in OTLP/JSON: `{}` when everything was stored without a warning. */
export function jsonResponse({ rejected, message }: PartialSuccess, signal: Signal): object {
  if (rejected === 0 && message === '') return {}
  return {
    partialSuccess: {
      ...(rejected > 0 && { [rejectedNames[signal]]: String(rejected) }),
      ...(message !== '' && { errorMessage: message }),
    },
  }
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  bytes.push(rest)
  return bytes
}
