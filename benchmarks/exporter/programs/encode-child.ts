import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { readFileSync } from 'node:fs'
import { createProtobufEncoding } from '../../../packages/otel-exporter/src/encoding/protobuf-encoding.ts'
import { sumOfLengths } from '../../../packages/otel-exporter/src/encoding/concat-bytes.ts'
import type { EncodePlan, EncodeResult, SpanTemplate } from './program-plan.ts'

const { spansFile, rounds, warmUpRounds, spansOfRound } = JSON.parse(process.argv[2] ?? '{}') as EncodePlan
const spans = makeSpans(JSON.parse(readFileSync(spansFile, 'utf8')) as SpanTemplate[])
const encoders: Record<string, () => number> = {
  'heddle protobuf': ours(),
  'stock protobuf': () => ProtobufTraceSerializer.serializeRequest(spans)?.length ?? 0,
  'stock JSON': () => JsonTraceSerializer.serializeRequest(spans)?.length ?? 0,
}

function makeSpans(templates: readonly SpanTemplate[]): ReadableSpan[] {
  const made: ReadableSpan[] = []
  const nothing = async () => undefined
  const collect = { onStart: () => undefined, onEnd: (span: ReadableSpan) => void made.push(span), forceFlush: nothing, shutdown: nothing }
  const tracer = new BasicTracerProvider({ spanProcessors: [collect] }).getTracer('bench', '1.0.0')
  for (let at = 0; at < spansOfRound; at++) {
    const template = templates[at % templates.length]
    if (template !== undefined) tracer.startSpan(template.name, { attributes: template.attributes }).end()
  }
  return made
}

/** A request, span by span, as the exporter makes it. Returns its bytes. */
function ours(): () => number {
  const encoding = createProtobufEncoding()
  return () => {
    const encoded = spans.map((span) => ({ bytes: encoding.encodeSpan(span), resource: span.resource, scope: span.instrumentationScope }))
    return sumOfLengths(encoding.joinRequest(encoded))
  }
}

/** All encoders take turns, so that whatever else the machine does falls on all of them alike. */
const results = Object.fromEntries(Object.keys(encoders).map((name): [string, EncodeResult] => [name, { bytesOfSpan: 0, micros: [] }]))
for (let round = -warmUpRounds; round < rounds; round++) {
  for (const [name, encode] of Object.entries(encoders)) {
    const before = process.cpuUsage()
    const bytes = encode()
    const { user, system } = process.cpuUsage(before)
    const result = results[name]
    if (result === undefined || round < 0) continue
    result.bytesOfSpan = bytes / spansOfRound
    result.micros.push((user + system) / spansOfRound)
  }
}
process.stdout.write(`${JSON.stringify(results)}\n`)
