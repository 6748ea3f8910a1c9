/** A part of a buffer: where it begins and how many bytes it has. */
export interface Part {
  start: number
  length: number
}

/** Spans of one resource and scope, by the offsets of their messages in a protobuf export request. */
export interface SpanGroup {
  /** Undefined where none was sent. */
  resource: Part | undefined
  scope: Part | undefined
  spans: Part[]
}

/** Beyond the number that any request may have, a request with this many bytes per span has no plain ones. */
const leastSpanBytes = 16
const freeSpans = 10_000
const resourceSpansTag = 10
const partTag = 10
const membersTag = 18

/** The spans of a request in their order. Undefined for a request with unusual parts, which is left to the decoder. */
export function findSpanGroups(bytes: Uint8Array): SpanGroup[] | undefined {
  const groups: SpanGroup[] = []
  let spansLeft = freeSpans + bytes.length / leastSpanBytes
  const walked = eachField(bytes, { start: 0, length: bytes.length }, (tag, resourceSpans) => {
    if (tag !== resourceSpansTag) return false
    return readMembers(bytes, resourceSpans, (resource, scopeSpans) =>
      readMembers(bytes, scopeSpans, (scope, span) => {
        spansLeft -= 1
        if (spansLeft < 0) return false
        const last = groups.at(-1)
        if (last !== undefined && last.resource === resource && last.scope === scope) last.spans.push(span)
        else groups.push({ resource, scope, spans: [span] })
        return true
      }),
    )
  })
  return walked ? groups : undefined
}

/** A message of one part, which is first or absent, and its members. */
function readMembers(bytes: Uint8Array, message: Part, onMember: (part: Part | undefined, member: Part) => boolean): boolean {
  let part: Part | undefined
  let members = 0
  return eachField(bytes, message, (tag, content) => {
    if (tag === partTag && part === undefined && members === 0) part = content
    else if (tag !== membersTag || !onMember(part, content)) return false
    else members += 1
    return true
  })
}

/** False if the bytes are not a message of fields with a length, or if the visitor returns false. */
function eachField(bytes: Uint8Array, { start, length }: Part, visit: (tag: number, content: Part) => boolean): boolean {
  const end = start + length
  let at = start
  while (at < end) {
    const tag = bytes[at++] as number
    let size = 0
    let factor = 1
    for (;;) {
      const byte = at < end ? (bytes[at++] as number) : 128
      size += (byte & 127) * factor
      if (byte < 128) break
      factor *= 128
      if (factor > 2 ** 35 || at >= end) return false
    }
    if (size > end - at || !visit(tag, { start: at, length: size })) return false
    at += size
  }
  return true
}

/** A request of some of the spans of a group. */
export function requestOf(
  bytes: Uint8Array,
  { resource, scope }: Pick<SpanGroup, 'resource' | 'scope'>,
  spans: readonly Uint8Array[],
): Buffer {
  const content = (part: Part | undefined) =>
    part === undefined ? [] : [field(partTag, bytes.subarray(part.start, part.start + part.length))]
  const scopeSpans = Buffer.concat([...content(scope), ...spans.map((span) => field(membersTag, span))])
  return field(resourceSpansTag, Buffer.concat([...content(resource), field(membersTag, scopeSpans)]))
}

/** A field of protobuf whose value has a length. */
export function field(tag: number, content: Uint8Array): Buffer {
  const header = [tag]
  let rest = content.length
  for (; rest > 127; rest = Math.floor(rest / 128)) header.push((rest & 127) | 128)
  header.push(rest)
  return Buffer.concat([Buffer.from(header), content])
}
