import { isJsonObject } from '@heddle/core-api/internal'
import { eventsOf, fileNameOf, numberOf, objectOf, objectsOf, present, textOf, valueOf } from '../foreign-fields.ts'
import { toFeedbackId, toHexId, toSpanId, toTraceId } from '../foreign-ids.ts'
import type { ForeignFormat, ForeignItem, ForeignSpan, JsonObject, RecordPlace } from '../foreign-item.ts'
import { toNanoseconds } from '../foreign-times.ts'
import { invalid } from '../invalid-record.ts'

/**
 * Exports of MLflow: traces as `Trace.to_json()` and its command write them (spans in the schemas of versions 2 to 4, with their assessments), records
 * of an evaluation dataset, and versions of a prompt.
 */
export function createMlflowFormat(): ForeignFormat {
  return {
    survey: () => undefined,
    *read(record, place) {
      if (isJsonObject(record['info']) || isJsonObject(record['data'])) return yield* readTrace(record, place)
      if (isJsonObject(record['inputs'])) return yield toRow(record, place)
      if ('template' in record && 'name' in record) return yield readPrompt(record)
      yield { kind: 'skipped', what: 'records', reason: 'neither a trace, a dataset record nor a prompt' }
    },
  }
}

function* readTrace(record: JsonObject, place: RecordPlace): Iterable<ForeignItem> {
  const info = objectOf(record, 'info')
  const spans = objectsOf(objectOf(record, 'data'), 'spans')
  const root = spans.find((span) => parentOf(span) === undefined) ?? spans[0]
  if (root === undefined) return yield { kind: 'skipped', what: 'traces', reason: 'they have no spans' }
  for (const span of spans) yield { kind: 'span', span: toSpan(span, span === root ? traceAttributes(info) : {}, place) }
  for (const assessment of objectsOf(info, 'assessments')) yield readAssessment(assessment, root, place)
}

const parentOf = (span: JsonObject) => textOf(span, 'parent_span_id', 'parent_id')

function spanIdOf(text: string): string {
  return toHexId(text, 8) ?? toSpanId(text)
}

/** Version 4 has the id of OpenTelemetry in addition to its own, version 3 in base64, version 2 in its context. */
function traceIdOf(span: JsonObject): string {
  const id = textOf(span, 'otel_trace_id') ?? textOf(objectOf(span, 'context'), 'trace_id') ?? textOf(span, 'trace_id') ?? ''
  return toHexId(id, 16) ?? toTraceId(id)
}

function toSpan(span: JsonObject, ofTrace: JsonObject, place: RecordPlace): ForeignSpan {
  const parent = parentOf(span)
  const failure = failureOf(span)
  return {
    traceId: traceIdOf(span),
    spanId: spanIdOf(textOf(span, 'span_id') ?? textOf(objectOf(span, 'context'), 'span_id') ?? ''),
    parentSpanId: parent === undefined ? undefined : spanIdOf(parent),
    name: textOf(span, 'name') ?? 'span',
    startNs:
      toNanoseconds(valueOf(span, 'start_time_unix_nano', 'start_time')) ??
      invalid(place, 'start_time_unix_nano', valueOf(span, 'start_time_unix_nano', 'start_time')),
    endNs: toNanoseconds(valueOf(span, 'end_time_unix_nano', 'end_time')),
    attributes: present({ ...objectOf(span, 'attributes'), ...ofTrace }),
    error: failure,
    events: eventsOf(span, 'time_unix_nano', 'timestamp'),
  }
}

/** Status codes are those of MLflow, of OpenTelemetry, or their numbers. */
function failureOf(span: JsonObject): string | undefined {
  const status = objectOf(span, 'status')
  const code = textOf(status, 'code', 'status_code') ?? textOf(span, 'status_code') ?? ''
  return /ERROR|^2$/.test(code) ? (textOf(status, 'message', 'description') ?? textOf(span, 'status_message') ?? '') : undefined
}

/** User, session and tags of a trace, and its id, as attributes of its root. */
function traceAttributes(info: JsonObject): JsonObject {
  const metadata = objectOf(info, 'trace_metadata', 'request_metadata')
  const tags = Object.entries(objectOf(info, 'tags')).filter(([name]) => !name.startsWith('mlflow.'))
  return {
    'mlflow.trace.id': textOf(info, 'trace_id', 'request_id'),
    'mlflow.trace.session': textOf(metadata, 'mlflow.trace.session'),
    'user.id': textOf(metadata, 'mlflow.trace.user'),
    ...Object.fromEntries(tags.map(([name, value]) => [`mlflow.trace.tags.${name}`, value])),
  }
}

function readAssessment(assessment: JsonObject, root: JsonObject, place: RecordPlace): ForeignItem {
  const feedback = objectOf(assessment, 'feedback')
  const expectation = objectOf(assessment, 'expectation')
  const isExpectation = Object.keys(expectation).length > 0
  const source = objectOf(assessment, 'source')
  const name = textOf(assessment, 'assessment_name', 'name') ?? 'assessment'
  const span = textOf(assessment, 'span_id') ?? textOf(root, 'span_id') ?? textOf(objectOf(root, 'context'), 'span_id') ?? ''
  const call = spanIdOf(span)
  return {
    kind: 'score',
    score: {
      id: toFeedbackId('mlflow', textOf(assessment, 'assessment_id') ?? JSON.stringify([call, name, place])),
      about: { call },
      name,
      value: (isExpectation ? expectation : feedback)['value'] ?? null,
      details: present({
        ...(isExpectation && { kind: 'expectation' }),
        comment: valueOf(assessment, 'rationale'),
        source: valueOf(source, 'source_type'),
        timestamp: valueOf(assessment, 'create_time', 'create_time_ms'),
        metadata: valueOf(assessment, 'metadata'),
        error: valueOf(assessment, 'error') ?? valueOf(feedback, 'error'),
      }),
      creator: textOf(source, 'source_id'),
    },
  }
}

function toRow(record: JsonObject, place: RecordPlace): ForeignItem {
  const { inputs, expectations, tags } = record
  const row = present({ id: valueOf(record, 'dataset_record_id'), inputs, outputs: record['outputs'], expectations, tags })
  return { kind: 'row', dataset: fileNameOf(place), row }
}

function readPrompt(record: JsonObject): ForeignItem {
  const template = record['template']
  return {
    kind: 'prompt',
    prompt: {
      name: textOf(record, 'name') ?? 'prompt',
      version: numberOf(record, 'version') ?? 0,
      template: Array.isArray(template) ? template.filter(isJsonObject) : (textOf(record, 'template') ?? ''),
      details: present({ tags: record['tags'], commit_message: record['commit_message'], response_format: record['response_format'] }),
      aliases: Array.isArray(record['aliases']) ? record['aliases'].filter((alias) => typeof alias === 'string') : [],
    },
  }
}
