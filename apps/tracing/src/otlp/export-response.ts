/** What of an export request was not stored. */
export interface PartialSuccess {
  rejectedSpans: number
  /** `''` for none. With no rejected spans it is a warning. */
  message: string
}

const encoder = new TextEncoder()

/** The answer in protobuf: empty when everything was stored without a warning. */
export function protobufResponse({ rejectedSpans, message }: PartialSuccess): Uint8Array {
  const text = encoder.encode(message)
  const inner: number[] = []
  if (rejectedSpans > 0) inner.push(0x08, ...varint(rejectedSpans))
  const head = text.length > 0 ? [0x12, ...varint(text.length)] : []
  const size = inner.length + head.length + text.length
  if (size === 0) return new Uint8Array()
  return Uint8Array.from([0x0a, ...varint(size), ...inner, ...head, ...text])
}

/** The answer in OTLP/JSON: `{}` when everything was stored without a warning. */
export function jsonResponse({ rejectedSpans, message }: PartialSuccess): object {
  if (rejectedSpans === 0 && message === '') return {}
  return {
    partialSuccess: {
      ...(rejectedSpans > 0 && { rejectedSpans: String(rejectedSpans) }),
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
