import { concatBytes, type Bytes } from './concat-bytes.ts'
import { readFields } from './protobuf-fields.ts'
import { ProtobufWriter } from './protobuf-writer.ts'

// Field numbers on the path from a request to its spans.
const resourceSpansField = 1
const scopeSpansField = 2
const spansField = 2

/** Called for each span of a request, in order: true to keep it. */
type Choice = () => boolean

/** The older and the newer half of the spans of a request, each as a request; undefined when there is but one, or it cannot be read. */
export function splitProtobufRequest(body: Uint8Array): [Bytes, Bytes] | undefined {
  const count = countSpans(body)
  if (count < 2) return undefined
  const half = count >> 1
  return [selectSpans(body, (index) => index < half), selectSpans(body, (index) => index >= half)]
}

function countSpans(body: Uint8Array): number {
  let count = 0
  selectSpans(body, () => {
    count++
    return false
  })
  return count
}

function selectSpans(body: Uint8Array, isWanted: (index: number) => boolean): Bytes {
  let index = 0
  const choose = () => isWanted(index++)
  return concatBytes(rebuild(body, [resourceSpansField, scopeSpansField, spansField], choose))
}

/** The fields of a message, with only the kept spans below; messages that become empty are omitted. */
function rebuild(message: Uint8Array, [field = 0, ...below]: readonly number[], choose: Choice): Uint8Array[] {
  return readFields(message).flatMap(({ number, value, raw }) => {
    if (number !== field || !(value instanceof Uint8Array)) return [raw]
    if (below.length === 0) return choose() ? [raw] : []
    const inner = rebuild(value, below, choose)
    return hasField(inner, below[0] ?? 0) ? [asField(number, concatBytes(inner))] : []
  })
}

function hasField(fields: readonly Uint8Array[], wanted: number): boolean {
  return fields.some(([tag = 0]) => tag >> 3 === wanted)
}

function asField(number: number, message: Bytes): Bytes {
  const writer = new ProtobufWriter()
  writer.bytes(number * 8 + 2, message)
  return writer.take()
}
