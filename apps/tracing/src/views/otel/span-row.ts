import { formatRef } from '@heddle/core-api'
import type { callsTable, EncodableRow } from '@heddle/datastore'
import { jsonBytes, type ScratchBuffer } from '@heddle/json'
import type { MappedSpan } from '../../otlp/map/map-span.ts'
import { writeRawSpan } from '../../otlp/raw-span.ts'
import { collectRefs } from '../../payload/collect-refs.ts'
import { digestLength } from '../../payload/digest.ts'
import { buildIndex, indexRoot, type RootIndex, type RowIndex } from '../../query/build-index.ts'
import { callStatus } from '../../records/calls/row/call-status.ts'
import { writeEvalCallFacts } from '../../records/calls/results/eval-call-facts.ts'
import { tokensOf, trialColumns } from '../../records/calls/results/result-columns.ts'
import { emptyCall } from '../../records/calls/row/empty-call.ts'

/** Placeholder of an op's digest until it is known. */
const unknownDigest = '0'.repeat(digestLength)

/** The shared data of a request's rows. */
interface RowContext {
  /** Who sent them. */
  userId: string
  /** Holds the texts of a row until it is cleared. */
  scratch: ScratchBuffer
  /** Indexes of the resources seen in this request; grows with them. */
  resources: Map<unknown, RootIndex>
}

/** A span counts no errors of spans below it. */
const countsNothing = '{}'

/** The row of a call of which nothing else is known: all but its version and the digest of its op. */
export function toSpanRow(span: MappedSpan, { userId, scratch, resources }: RowContext): EncodableRow<typeof callsTable> {
  const inputs = jsonBytes(span.inputs, scratch)
  const output = jsonBytes(span.output, scratch)
  const attributes = jsonBytes(span.attributes, scratch)
  const summary = jsonBytes(span.summary, scratch)
  const display_name = span.display_name ?? ''
  const { trial_row, score_shape, score_values } = trialColumns({ op_short_name: span.opId, inputs, output })
  return {
    ...emptyCall({ project_id: span.project, id: span.id }),
    trace_id: span.trace_id,
    parent_id: span.parent_id ?? '',
    thread_id: span.thread_id,
    turn_id: span.turn_id,
    op_name: opNameOf(span),
    op_short_name: span.opId,
    display_name,
    start_display_name: display_name,
    started_at: span.started_at,
    ended_at: span.ended_at,
    exception: span.exception,
    status: callStatus({ exception: span.exception, ended_at: span.ended_at, summary: countsNothing }),
    attributes,
    inputs,
    output,
    summary,
    otel: writeRawSpan(span.rawSpan, span, { attributes, summary }, scratch),
    storage_size_bytes: BigInt(inputs.byteLength + output.byteLength + attributes.byteLength + summary.byteLength),
    input_refs: collectRefs(span.inputs),
    output_refs: collectRefs(span.output),
    wb_user_id: userId,
    wb_run_id: span.wb_run_id ?? '',
    wb_run_step: span.wb_run_step,
    wb_run_step_end: span.wb_run_step_end,
    eval_marks: writeEvalCallFacts({ op: span.opId, inputs: span.inputs, attributes: span.attributes }),
    total_tokens: tokensOf(span.summary),
    trial_row,
    score_shape,
    score_values,
    ...indexOf(span, resources),
    has_start: 1,
  }
}

function indexOf({ inputs, attributes, output, summary, rawSpan }: MappedSpan, resources: RowContext['resources']): RowIndex {
  let resource = resources.get(rawSpan.resource)
  if (resource === undefined) resources.set(rawSpan.resource, (resource = indexRoot('resourceAttributes', rawSpan.resource)))
  return buildIndex({ inputs, attributes, output, summary, spanAttributes: rawSpan.attributes }, resource)
}

function opNameOf({ project, opId }: MappedSpan): string {
  const [entity = '', name = ''] = project.split('/')
  return formatRef({ kind: 'op', entity, project: name, name: opId, digest: unknownDigest, edges: [] })
}
