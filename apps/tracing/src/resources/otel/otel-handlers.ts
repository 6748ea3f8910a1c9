import { ApiError, isApiError, type BytesAnswer, type Handlers, type tracing } from '@heddle/core-api'
import type { ProjectScope } from '@heddle/identity'
import type { TracingContext } from '../../context.ts'
import { jsonResponse, protobufResponse } from '../../otlp/export-response.ts'
import type { EnsureOps } from '../objects/publish/ensure-ops.ts'
import { EncodedCall } from '../calls/row/encoded-call.ts'
import type { CallsWriter, ProjectChanges } from '../calls/write/calls-writer.ts'
import type { PreparedSpans, SpanRequest } from './span-request.ts'
import type { SpanPreparer } from './span-preparer.ts'

export interface OtelDeps {
  preparer: SpanPreparer
  writer: CallsWriter
  ensureOps: EnsureOps
  options: SpanRequest['options']
  /** Called with the spans of a request that are not stored. */
  onRejected: (spans: number) => void
}

/** Calls of one project, which the caller may write. */
interface ProjectCalls {
  project: ProjectScope
  calls: EncodedCall[]
}

/** Spans that are not stored, and why. */
interface Refusal {
  spans: number
  error: ApiError
}

/** The door of OpenTelemetry: spans become calls. */
export function otelHandlers({
  preparer,
  writer,
  ensureOps,
  options,
  onRejected,
}: OtelDeps): Handlers<(typeof tracing)['otel'], TracingContext> {
  async function toChanges({ project, calls }: ProjectCalls, context: TracingContext): Promise<ProjectChanges> {
    const opIds = calls.map((call) => call.op_short_name)
    const digests = await ensureOps(project, new Set(opIds), context.caller.userId)
    calls.forEach((call, index) => call.setOpDigest(digests.get(opIds[index] ?? '') ?? ''))
    return { project, changes: calls.map((call) => ({ kind: 'encoded', id: call.id, call })) }
  }
  return {
    async exportTrace(input, context) {
      const encoding = isJson(input.content_type) ? 'json' : 'protobuf'
      const headers = { project: input.project_id ?? input['project-id'], run: input.wb_run_id }
      const request: SpanRequest = { bytes: input.bytes, encoding, headers, options, userId: context.caller.userId }
      const prepared = await preparer.prepare(request, context.flow)
      if (prepared.status === 'refused') throw new ApiError(prepared.code, prepared.reason)
      const { allowed, refused } = await openProjects(callsOf(prepared), context)
      if (allowed.length === 0 && refused[0] !== undefined) throw refused[0].error
      await writer.write(await Promise.all(allowed.map((group) => toChanges(group, context))))
      // Only where all went well: a write that failed may still be under way.
      preparer.release(prepared.rows)
      const messages = [prepared.message, ...refused.map(({ error }) => error.message)].filter((message) => message !== '')
      const rejectedSpans = prepared.rejected + refused.reduce((sum, { spans }) => sum + spans, 0)
      onRejected(rejectedSpans)
      return toAnswer({ rejectedSpans, message: messages.join('; ') }, encoding)
    },
  }
}

function callsOf({ rows, ends }: PreparedSpans): EncodedCall[] {
  return ends.map((end, index) => {
    const start = index === 0 ? 0 : (ends[index - 1] as number)
    return new EncodedCall(Buffer.from(rows.buffer, rows.byteOffset + start, end - start))
  })
}

async function openProjects(calls: readonly EncodedCall[], context: TracingContext) {
  const groups = [...groupByProject(calls)]
  const opened = await Promise.allSettled(groups.map(([id]) => context.open(id)))
  const allowed: ProjectCalls[] = []
  const refused: Refusal[] = []
  groups.forEach(([id, own], index) => {
    const result = opened[index]
    if (result?.status === 'fulfilled') allowed.push({ project: result.value, calls: own })
    else refused.push({ spans: own.length, error: refusalOf(id, result?.reason) })
  })
  return { allowed, refused }
}

/** @throws whatever else kept a project from being opened, or does so for a while: then nothing of the request is stored, and it may be sent again. */
function refusalOf(project: string, reason: unknown): ApiError {
  if (!isApiError(reason) || reason.retryAfterSeconds !== undefined) throw reason
  return new ApiError(reason.code, `project "${project}": ${reason.message}`)
}

function groupByProject(calls: readonly EncodedCall[]): Map<string, EncodedCall[]> {
  const groups = new Map<string, EncodedCall[]>()
  for (const call of calls) {
    const own = groups.get(call.project_id)
    if (own === undefined) groups.set(call.project_id, [call])
    else own.push(call)
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
