import { isJsonObject } from '@heddle/core-api/internal'
import { eventsOf, fileNameOf, numberOf, objectOf, objectsOf, present, textOf, valueOf } from '../foreign-fields.ts'
import { toFeedbackId, toSpanId, toTraceId } from '../foreign-ids.ts'
import type { ForeignFormat, ForeignItem, ForeignSpan, JsonObject, RecordPlace } from '../foreign-item.ts'
import { toNanoseconds } from '../foreign-times.ts'
import { invalid } from '../invalid-record.ts'

/**
 * Exports of Phoenix: spans as its API, its clients and its command return them, or as rows of a data frame (CSV, Parquet); annotations of spans and
 * traces; examples of a dataset; versions of a prompt, which have the name of their file.
 */
export function createPhoenixFormat(): ForeignFormat {
  const roots = new Map<string, string>()

  function survey(record: JsonObject): void {
    for (const span of spansOf(record)) {
      const { traceId, spanId } = idsOf(span)
      if (textOf(span, 'parent_id') === undefined) roots.set(traceId, spanId)
    }
  }

  function* readAnnotation(record: JsonObject, place: RecordPlace): Iterable<ForeignItem> {
    const span = textOf(record, 'span_id')
    const trace = textOf(record, 'trace_id')
    const root = trace === undefined ? undefined : roots.get(toTraceId(trace))
    const call = span === undefined ? root : toSpanId(span)
    if (call === undefined) return yield { kind: 'skipped', what: 'annotations', reason: 'their trace is not in the export' }
    const result = { ...objectOf(record, 'result'), ...withoutPrefix(record, 'result.') }
    const label = textOf(result, 'label')
    yield {
      kind: 'score',
      score: {
        id: toFeedbackId('phoenix', textOf(record, 'id') ?? JSON.stringify([call, record['name'], record['identifier'], place])),
        about: { call },
        name: textOf(record, 'name', 'annotation_name') ?? 'annotation',
        value: numberOf(result, 'score') ?? label ?? null,
        details: present({
          ...(numberOf(result, 'score') !== undefined && { label }),
          comment: valueOf(result, 'explanation'),
          source: valueOf(record, 'annotator_kind'),
          timestamp: valueOf(record, 'created_at'),
          metadata: valueOf(record, 'metadata'),
        }),
        creator: undefined,
      },
    }
  }

  return {
    survey,
    *read(record, place) {
      const spans = spansOf(record)
      for (const span of spans) {
        yield { kind: 'span', span: toSpan(span, place) }
        for (const annotation of objectsOf(span, 'annotations'))
          yield* readAnnotation({ span_id: idsOf(span).spanId, ...annotation }, place)
      }
      if (spans.length > 0) return
      if (isJsonObject(record['template'])) return yield readPrompt(record, place)
      const examples = objectsOf(record, 'examples')
      if (examples.length > 0) return yield* examples.map((example) => toRow(example, record, place))
      if ('input' in record && 'output' in record) return yield toRow(record, record, place)
      if ('result' in record || 'result.score' in record || 'result.label' in record) return yield* readAnnotation(record, place)
      yield { kind: 'skipped', what: 'records', reason: 'neither a span, an annotation, a dataset example nor a prompt' }
    },
  }
}

/** The spans of a record: itself, a row of a data frame, or those of a trace. */
function spansOf(record: JsonObject): JsonObject[] {
  if (Array.isArray(record['spans'])) return objectsOf(record, 'spans')
  if (isJsonObject(record['context'])) return [record]
  if (!('context.span_id' in record)) return []
  const context = { trace_id: record['context.trace_id'], span_id: record['context.span_id'] }
  return [{ ...record, context, attributes: { ...objectOf(record, 'attributes'), ...withoutPrefix(record, 'attributes.') } }]
}

function idsOf(span: JsonObject) {
  const context = objectOf(span, 'context')
  return { traceId: toTraceId(textOf(context, 'trace_id') ?? ''), spanId: toSpanId(textOf(context, 'span_id') ?? '') }
}

function toSpan(record: JsonObject, place: RecordPlace): ForeignSpan {
  const parent = textOf(record, 'parent_id')
  const kind = textOf(record, 'span_kind')
  return {
    ...idsOf(record),
    parentSpanId: parent === undefined ? undefined : toSpanId(parent),
    name: textOf(record, 'name') ?? 'span',
    startNs: toNanoseconds(valueOf(record, 'start_time')) ?? invalid(place, 'start_time', record['start_time']),
    endNs: toNanoseconds(valueOf(record, 'end_time')),
    attributes: present({ ...(kind !== undefined && { 'openinference.span.kind': kind }), ...objectOf(record, 'attributes') }),
    error: textOf(record, 'status_code') === 'ERROR' ? (textOf(record, 'status_message') ?? '') : undefined,
    events: eventsOf(record, 'timestamp', 'time'),
  }
}

function toRow(example: JsonObject, { dataset_name }: JsonObject, { file }: RecordPlace): ForeignItem {
  const { id, input, output, metadata } = example
  return { kind: 'row', dataset: typeof dataset_name === 'string' ? dataset_name : file, row: present({ id, input, output, metadata }) }
}

function readPrompt(record: JsonObject, place: RecordPlace): ForeignItem {
  const template = objectOf(record, 'template')
  const messages = objectsOf(template, 'messages')
  const { template: _template, id, ...details } = record
  return {
    kind: 'prompt',
    prompt: {
      name: fileNameOf(place),
      version: 0,
      template: messages.length > 0 ? messages : (textOf(template, 'template') ?? ''),
      details: present({ ...details, version_id: id }),
      aliases: [],
    },
  }
}

function withoutPrefix(record: JsonObject, prefix: string): JsonObject {
  const own = Object.entries(record).filter(([key, value]) => key.startsWith(prefix) && value !== null && value !== '')
  return Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value]))
}
