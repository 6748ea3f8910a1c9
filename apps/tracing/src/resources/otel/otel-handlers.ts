import { ApiError, isApiError, type BytesAnswer, type Handlers, type tracing } from '@heddle/core-api'
import type { ProjectScope } from '@heddle/identity'
import type { TracingContext } from '../../context.ts'
import { jsonResponse, protobufResponse } from '../../otlp/export-response.ts'
import type { EnsureOps } from '../objects/ensure-ops.ts'
import { EncodedCall } from '../calls/encoded-call.ts'
import type { CallsWriter, ProjectChanges } from '../calls/calls-writer.ts'
import type { PreparedSpans, SpanRequest } from './prepare-spans.ts'
import type { SpanPreparer } from './span-preparer.ts'

interface OtelDeps {
  preparer: SpanPreparer
  writer: CallsWriter
  ensureOps: EnsureOps
  options: SpanRequest['options']
}

/** A span as the call that it becomes. */
interface Span {
  opId: string
  call: EncodedCall
}

/** Spans of one project, which the caller may write. */
interface ProjectSpans {
  project: ProjectScope
  spans: Span[]
}

/** Spans that are not stored, and why. */
interface Refusal {
  spans: number
  error: ApiError
}

/** The door of OpenTelemetry: spans become calls. */
export function otelHandlers({ preparer, writer, ensureOps, options }: OtelDeps): Handlers<(typeof tracing)['otel'], TracingContext> {
  async function toChanges({ project, spans }: ProjectSpans, context: TracingContext): Promise<ProjectChanges> {
    const digests = await ensureOps(project, new Set(spans.map(({ opId }) => opId)), context.caller.userId)
    for (const { opId, call } of spans) call.setOpDigest(digests.get(opId) ?? '')
    return { project, changes: spans.map(({ call }) => ({ kind: 'encoded', id: call.id, call })) }
  }
  return {
    async exportTrace(input, context) {
      const encoding = isJson(input.content_type) ? 'json' : 'protobuf'
      const headers = { project: input.project_id ?? input['project-id'], run: input.wb_run_id }
      const prepared = await preparer.prepare({ bytes: input.bytes, encoding, headers, options, userId: context.caller.userId })
      if (prepared.status === 'refused') throw new ApiError(prepared.code, prepared.reason)
      const { allowed, refused } = await openProjects(spansOf(prepared), context)
      if (allowed.length === 0 && refused[0] !== undefined) throw refused[0].error
      await writer.write(await Promise.all(allowed.map((group) => toChanges(group, context))))
      const messages = [prepared.message, ...refused.map(({ error }) => error.message)].filter((message) => message !== '')
      const rejectedSpans = prepared.rejected + refused.reduce((sum, { spans }) => sum + spans, 0)
      return toAnswer({ rejectedSpans, message: messages.join('; ') }, encoding)
    },
  }
}

function spansOf({ spans, rows }: PreparedSpans): Span[] {
  let start = 0
  return spans.map(({ project, id, opId, ended_at, end }) => {
    const bytes = Buffer.from(rows.buffer, rows.byteOffset + start, end - start)
    start = end
    return { opId, call: new EncodedCall({ project_id: project, id, ended_at }, bytes) }
  })
}

async function openProjects(spans: readonly Span[], context: TracingContext) {
  const groups = [...groupByProject(spans)]
  const opened = await Promise.allSettled(groups.map(([id]) => context.open(id)))
  const allowed: ProjectSpans[] = []
  const refused: Refusal[] = []
  groups.forEach(([id, own], index) => {
    const result = opened[index]
    if (result?.status === 'fulfilled') allowed.push({ project: result.value, spans: own })
    else refused.push({ spans: own.length, error: refusalOf(id, result?.reason) })
  })
  return { allowed, refused }
}

/** @throws whatever else kept a project from being opened: then nothing of the request is stored. */
function refusalOf(project: string, reason: unknown): ApiError {
  if (!isApiError(reason)) throw reason
  return new ApiError(reason.code, `project "${project}": ${reason.message}`)
}

function groupByProject(spans: readonly Span[]): Map<string, Span[]> {
  const groups = new Map<string, Span[]>()
  for (const span of spans) {
    const own = groups.get(span.call.project_id)
    if (own === undefined) groups.set(span.call.project_id, [span])
    else own.push(span)
  }
  return groups
}

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/json\b/i.test(contentType)
}

function toAnswer(success: { rejectedSpans: number; message: string }, encoding: SpanRequest['encoding']): BytesAnswer {
  if (encoding === 'protobuf') return { content_type: 'application/x-protobuf', bytes: protobufResponse(success) }
  return { content_type: 'application/json', bytes: Buffer.from(JSON.stringify(jsonResponse(success))) }
}
