import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { Content } from './nested-text.ts'
import type { TextSource } from './payload-text.ts'
import { spanAttributes, type SpanAttributes } from './span-attributes.ts'
import { offsetsOf, stampOf, toHex, type IdSlot, type StampedBody } from './stamped-body.ts'

type Span = Parameters<typeof ProtobufTraceSerializer.serializeRequest>[0][number]

export interface ExportRequestOptions {
  spans: number
  /** Spans of one trace. */
  spansOfTrace: number
  /** About how many bytes of prompt and answer a span carries; 0 for a span of plain attributes. */
  textBytes: number
  source: TextSource
  /** True puts the rare word into the prompt of the first span. */
  hasRareWord?: boolean
  /** Default: plain. */
  content?: Content | undefined
}

/** The time in the template. */
const templateNs = 1_600_000_000_000_000_000n

/** One export request of OpenTelemetry, as its exporter for JavaScript encodes it. */
export function exportRequest(options: ExportRequestOptions): StampedBody {
  const spans = Array.from({ length: options.spans }, (_, index) => draft(options, index))
  spans.forEach((span, index) => {
    const root = index - (index % options.spansOfTrace)
    span.traceId = (spans[root] ?? span).traceId
    span.parentId = index === root ? undefined : (spans[root + ((index - root - 1) >> 2)] ?? span).id
  })
  const bytes = Buffer.from(ProtobufTraceSerializer.serializeRequest(spans.map(toSpan)) ?? [])
  const spanSlots = spans.map((span) => idSlot(bytes, span.id))
  const idSlots = [...spanSlots, ...[...new Set(spans.map((span) => span.traceId))].map((id) => idSlot(bytes, id))]
  const timeSlots = spans.flatMap((span) => [timeSlot(bytes, span.startNs), timeSlot(bytes, span.endNs)])
  return {
    bytes,
    calls: options.spans,
    stamp(sequence, startMs) {
      for (const slot of idSlots) {
        const stamp = stampOf(slot, sequence)
        for (const offset of slot.offsets) bytes.writeUInt32BE(stamp, offset)
      }
      const startNs = BigInt(Math.floor(startMs)) * 1_000_000n
      for (const { offset, sinceNs } of timeSlots) bytes.writeBigUInt64LE(startNs + sinceNs, offset)
    },
    idsOf: (sequence) => spanSlots.map((slot) => slot.prefix + toHex(stampOf(slot, sequence))),
  }
}

interface Draft {
  id: Buffer
  traceId: Buffer
  parentId: Buffer | undefined
  name: string
  startNs: bigint
  endNs: bigint
  isError: boolean
  attributes: SpanAttributes
}

function draft(options: ExportRequestOptions, index: number): Draft {
  const { source, textBytes, hasRareWord, content } = options
  const { random } = source
  const { name, attributes } = spanAttributes({ source, textBytes, content, hasRareWord: hasRareWord === true && index === 0 })
  // Each time of the template is there once.
  const startNs = templateNs + BigInt(index) * 1_000_003n
  const endNs = startNs + BigInt(Math.floor(Math.exp(random.next() * 6) * 10_000_000)) + BigInt(index)
  return {
    id: random.bytes(8),
    traceId: random.bytes(16),
    parentId: undefined,
    name,
    startNs,
    endNs,
    isError: random.next() < 0.03,
    attributes,
  }
}

function toSpan({ id, traceId, parentId, name, startNs, endNs, isError, attributes }: Draft): Span {
  const context = (spanId: Buffer) => ({ traceId: traceId.toString('hex'), spanId: spanId.toString('hex'), traceFlags: 1 })
  const time = (ns: bigint): [number, number] => [Number(ns / 1_000_000_000n), Number(ns % 1_000_000_000n)]
  return {
    name,
    kind: 2,
    spanContext: () => context(id),
    ...(parentId && { parentSpanContext: context(parentId) }),
    startTime: time(startNs),
    endTime: time(endNs),
    duration: time(endNs - startNs),
    status: isError ? { code: 2, message: 'the tool gave no answer' } : { code: 1 },
    attributes,
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

/** The service that all spans come from. */
export const serviceName = 'agent'

const resource: Span['resource'] = {
  attributes: { 'service.name': serviceName, 'telemetry.sdk.language': 'nodejs' },
  merge: () => resource,
  getRawAttributes: () => [],
}

/** One object, as a tracer has: the exporter tells scopes apart by it. */
const instrumentationScope: Span['instrumentationScope'] = { name: 'bench', version: '1.0.0' }

function idSlot(body: Buffer, id: Buffer): IdSlot {
  const fixed = id.length - 4
  return {
    prefix: id.toString('hex', 0, fixed),
    salt: id.readUInt32BE(fixed),
    offsets: offsetsOf(body, id).map((offset) => offset + fixed),
  }
}

function timeSlot(body: Buffer, ns: bigint): { offset: number; sinceNs: bigint } {
  const needle = Buffer.alloc(8)
  needle.writeBigUInt64LE(ns)
  const [offset, ...others] = offsetsOf(body, needle)
  if (offset === undefined || others.length > 0) throw new Error(`the time ${ns} stands ${others.length + 1} times in a request, not once`)
  return { offset, sinceNs: ns - templateNs }
}
