import { readFields } from './protobuf-fields.ts'
import type { PartialSuccess } from './span-encoding.ts'

/** Reads an `ExportTraceServiceResponse`. Undefined when it has no partial success, or is not such a response. */
export function parseProtobufAnswer(body: Uint8Array): PartialSuccess | undefined {
  const partial = readFields(body).find(({ number }) => number === 1)?.value
  if (!(partial instanceof Uint8Array)) return undefined
  const fields = readFields(partial)
  const rejected = fields.findLast(({ number }) => number === 1)?.value
  const message = fields.findLast(({ number }) => number === 2)?.value
  const rejectedSpans = typeof rejected === 'number' ? rejected : 0
  const errorMessage = message instanceof Uint8Array ? new TextDecoder().decode(message) : ''
  return rejectedSpans > 0 || errorMessage !== '' ? { rejectedSpans, errorMessage } : undefined
}
