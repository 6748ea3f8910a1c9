import type { Micros } from '@heddle/core-api'
import { maskSecrets } from '../../payload/mask-secrets.ts'
import { AttributeConflict, type ConflictRule, type Expansion, expandAttributes } from '../expand-attributes.ts'
import { mapInputs } from './fields/inputs.ts'
import { type JsonObject, type JsonValue, newObject } from '../json-value.ts'
import { addOwnAttributes, addRequestKind, mapAttributes } from './fields/mapped-attributes.ts'
import { toOpId } from './fields/op-id.ts'
import { mapOutput } from './fields/output.ts'
import { type RawSpan, toRawLinks } from '../raw-span.ts'
import { mapDisplayName, mapRun, mapThread } from './fields/service-attributes.ts'
import type { Span } from '../span.ts'
import { expandEvents } from './attributes/span-events.ts'
import { endedAt, startedAt } from './fields/span-times.ts'
import { mapException } from './fields/status.ts'
import { mapUsage, toSummary } from './fields/usage.ts'
import { withLists } from './attributes/with-lists.ts'

/** A span as the call that it becomes. Values are JSON whose numbers may be `JsonNumber`, and parts `JsonText`; they are shared and must not be changed. */
export interface MappedSpan {
  /** `entity/project`. */
  project: string
  /** Object id of the op; its version is the latest one of that project. */
  opId: string
  id: string
  trace_id: string
  parent_id: string | null
  display_name: string | null
  thread_id: string | null
  turn_id: string | null
  started_at: Micros
  /** Null when the span has not ended. */
  ended_at: Micros | null
  inputs: JsonObject
  output: JsonValue
  attributes: JsonObject
  summary: JsonObject
  exception: string | null
  rawSpan: RawSpan
  wb_run_id: string | null
  wb_run_step: number | null
  wb_run_step_end: number | null
}

/** The shared data of the spans of one resource and scope. */
export interface SpanContext {
  project: string
  /** `entity/project/run` of the request or the resource. */
  requestRun: string | undefined
  /** Attributes of the resource, with credentials masked; undefined without a resource. */
  resource: JsonValue | undefined
  /** From `writeRawOrigin`, with credentials masked. */
  origin: Buffer
  /** Op ids of the span names seen in this request; grows with them. */
  opIds: Map<string, string>
  /** Expansion of this request. */
  expansion: Expansion
}

export interface MappingOptions {
  /** Default of a server: `keep`. */
  conflicts: ConflictRule
  /** Whether texts under keys that name credentials are masked in inputs, attributes and the raw span. Default of a server: true. */
  maskSecrets: boolean
}

/** A span that is refused; `reason` is for the message of the answer. */
export interface RejectedSpan {
  rejected: true
  reason: string
}

const traceId = /^(?!0+$)[0-9a-f]{32}$/
const spanId = /^(?!0+$)[0-9a-f]{16}$/

/** Maps one span to a call, or returns why it is refused. */
export function mapSpan(span: Span, context: SpanContext, options: MappingOptions): MappedSpan | RejectedSpan {
  if (!traceId.test(span.traceId)) return rejection(span, 'the trace id must be 16 bytes that are not all zero')
  if (!spanId.test(span.spanId)) return rejection(span, 'the span id must be 8 bytes that are not all zero')
  try {
    return mapValid(span, context, options)
  } catch (error) {
    if (error instanceof AttributeConflict) return rejection(span, error.message)
    throw error
  }
}

function mapValid(span: Span, context: SpanContext, options: MappingOptions): MappedSpan {
  const { project, requestRun, resource, origin, opIds, expansion } = context
  const sent = expandAttributes(span.attributes, options.conflicts, expansion)
  const events = expandEvents(span.events, expansion)
  // Masking keeps unchanged values by reference, so the payload is walked once and the output, which is not masked, is from the original.
  const mask = options.maskSecrets ? maskSecrets : asSent
  const attributes = mask(sent)
  const links = mask(toRawLinks(span.links, expansion))
  const maskedEvents = events.map((each) => ({ ...each, attributes: mask(each.attributes) }))
  const id = span.spanId
  const parent_id = spanId.test(span.parentSpanId) ? span.parentSpanId : null
  const inputs = mapInputs(attributes, maskedEvents)
  const output = mapOutput(sent, events)
  const usage = mapUsage(sent)
  const mapped = mapAttributes(attributes, maskedEvents)
  const isUnknown = mapped === undefined && inputs === undefined && output === undefined && usage === undefined
  const known = isUnknown ? allAttributes(attributes) : (mapped ?? newObject())
  addRequestKind(known, attributes, usage !== undefined)
  const { thread_id, turn_id } = mapThread(sent, { id, parent_id })
  const { wb_run_id, wb_run_step, wb_run_step_end } = mapRun(sent, project, requestRun)
  return {
    project,
    opId: opIdOf(span.name, opIds),
    id,
    parent_id,
    trace_id: span.traceId,
    display_name: mapDisplayName(sent),
    thread_id,
    turn_id,
    started_at: startedAt(span.startNs, sent),
    ended_at: endedAt(span.endNs, sent),
    inputs: inputs ?? newObject(),
    output: output ?? newObject(),
    attributes: addOwnAttributes(known, attributes, expansion.texts),
    summary: toSummary(usage, mapped?.['model'], mapped?.['model_parameters']),
    exception: mapException(span, sent, events),
    rawSpan: { span, parentId: parent_id, attributes, events: maskedEvents, links, resource, origin },
    wb_run_id,
    wb_run_step,
    wb_run_step_end,
  }
}

function asSent<T>(value: T): T {
  return value
}

function opIdOf(name: string, known: Map<string, string>): string {
  const before = known.get(name)
  if (before !== undefined) return before
  const opId = toOpId(name)
  known.set(name, opId)
  return opId
}

/** All attributes of an unknown kind of span. Their root remains an object, whatever its keys. */
function allAttributes(attributes: JsonObject): JsonObject {
  const all = newObject()
  for (const key of Object.keys(attributes)) all[key] = withLists(attributes[key] as JsonValue)
  return all
}

function rejection(span: Span, reason: string): RejectedSpan {
  return { rejected: true, reason: `Rejected span (name='${span.name}' trace_id='${span.traceId}' span_id='${span.spanId}'): ${reason}` }
}
