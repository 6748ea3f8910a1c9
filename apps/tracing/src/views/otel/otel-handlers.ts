import { ApiError, isApiError, type BytesAnswer, type Handlers, type tracing } from '@heddle/core-api'
import type { ProjectScope } from '@heddle/identity'
import type { TracingContext } from '../../context.ts'
import { groupBy } from '../../group-by.ts'
import { jsonResponse, type PartialSuccess, protobufResponse, type Signal } from '../../otlp/export-response.ts'
import type { EnsureOps } from '../../records/objects/publish/ensure-ops.ts'
import { EncodedCall } from '../../records/calls/row/encoded-call.ts'
import { conflictMessage, type TraceConflict } from '../../records/calls/write/trace-conflicts.ts'
import type { CallsWriter, ProjectChanges } from '../../records/calls/write/calls-writer.ts'
import type { CallChange } from '../../records/calls/write/call-change.ts'
import type { ProjectMessages } from './prepare-logs.ts'
import type { PreparedSpans, SpanRequest } from './span-request.ts'
import type { SpanPreparer } from './span-preparer.ts'

export interface SpanCounts {
  stored: number
  rejected: number
}

export interface OtelDeps {
  preparer: SpanPreparer
  writer: CallsWriter
  ensureOps: EnsureOps
  options: SpanRequest['options']
  /** Called with the stored and the refused spans of a request. */
  onSpans: (spans: SpanCounts) => void
}

/** The part of a request in one project that the caller may write. */
interface OfProject<Item> {
  project: ProjectScope
  of: Item[]
}

/** How many spans or log records of a project are not stored, and why. */
interface ProjectRefusal {
  count: number
  error: ApiError
}

/** The door of OpenTelemetry: spans become calls, and events of generative AI among log records the messages of these. */
export function otelHandlers({
  preparer,
  writer,
  ensureOps,
  options,
  onSpans,
}: OtelDeps): Handlers<(typeof tracing)['otel'], TracingContext> {
  async function toChanges({ project, of: calls }: OfProject<EncodedCall>, context: TracingContext): Promise<ProjectChanges> {
    const opIds = calls.map((call) => call.op_short_name)
    const digests = await ensureOps(project, new Set(opIds), context.caller.userId)
    calls.forEach((call, index) => call.setOpDigest(digests.get(opIds[index] ?? '') ?? ''))
    return { project, changes: calls.map((call) => ({ kind: 'encoded', id: call.id, call })) }
  }
  return {
    async exportTrace(input, context) {
      const request = toRequest(input, context)
      const prepared = await preparer.prepare(request, context.flow)
      if (prepared.status === 'refused') throw new ApiError(prepared.code, prepared.reason)
      const { allowed, refused } = await openProjects(callsOf(prepared), context)
      if (allowed.length === 0 && refused[0] !== undefined) throw refused[0].error
      const conflicts = await writer.writeSpans(await Promise.all(allowed.map((group) => toChanges(group, context))))
      // Only on success: a failed write may still be running.
      preparer.release(prepared.rows)
      const success = notStored(prepared, refused, conflicts)
      onSpans({ stored: prepared.ends.length + prepared.rejected - success.rejected, rejected: success.rejected })
      return toAnswer(success, request.encoding, 'traces')
    },
    async exportLogs(input, context) {
      const request = toRequest(input, context)
      const prepared = await preparer.prepareLogs(request, context.flow)
      if (prepared.status === 'refused') throw new ApiError(prepared.code, prepared.reason)
      const { allowed, refused } = await openProjects(prepared.messages, context)
      if (allowed.length === 0 && refused[0] !== undefined) throw refused[0].error
      const conflicts = await writer.writeSpans(allowed.map(({ project, of }) => ({ project, changes: of.map(toLoggedChange) })))
      return toAnswer(notStored(prepared, refused, conflicts), request.encoding, 'logs')
    },
  }

  function toRequest(input: ExportInput, context: TracingContext): SpanRequest {
    const encoding = isJson(input.content_type) ? 'json' : 'protobuf'
    const headers = { project: input.project_id ?? input['project-id'], run: input.wb_run_id }
    return { bytes: input.bytes, encoding, headers, options, userId: context.caller.userId }
  }
}

/** Common input of the requests of both signals. */
type ExportInput = Parameters<Handlers<(typeof tracing)['otel'], TracingContext>['exportTrace']>[0]

const toLoggedChange = ({ id, logged }: ProjectMessages): CallChange => ({ kind: 'logged', id, messages: logged })

/** Conflicts that are named. */
const maxNamed = 20

function notStored(
  { rejected, message }: { rejected: number; message: string },
  refused: readonly ProjectRefusal[],
  conflicts: readonly TraceConflict[],
): PartialSuccess {
  const named = conflicts.slice(0, maxNamed).map(conflictMessage)
  const more = conflicts.length > named.length ? [`${conflicts.length - named.length} more have ids of other traces`] : []
  const messages = [message, ...refused.map(({ error }) => error.message), ...named, ...more].filter((text) => text !== '')
  return { rejected: rejected + refused.reduce((sum, { count }) => sum + count, 0) + conflicts.length, message: messages.join('; ') }
}

function callsOf({ rows, ends }: PreparedSpans): EncodedCall[] {
  return ends.map((end, index) => {
    const start = index === 0 ? 0 : (ends[index - 1] as number)
    return new EncodedCall(Buffer.from(rows.buffer, rows.byteOffset + start, end - start))
  })
}

async function openProjects<Item extends { project_id: string }>(items: readonly Item[], context: TracingContext) {
  const groups = [...groupBy(items, ({ project_id }) => project_id)]
  const opened = await Promise.allSettled(groups.map(([id]) => context.open(id)))
  const allowed: OfProject<Item>[] = []
  const refused: ProjectRefusal[] = []
  groups.forEach(([id, own], index) => {
    const result = opened[index]
    if (result?.status === 'fulfilled') allowed.push({ project: result.value, of: own })
    else refused.push({ count: own.length, error: refusalOf(id, result?.reason) })
  })
  return { allowed, refused }
}

/** @throws whatever else kept a project from being opened, or does so for a while: then nothing of the request is stored, and it may be sent again. */
function refusalOf(project: string, reason: unknown): ApiError {
  if (!isApiError(reason) || reason.retryAfterSeconds !== undefined) throw reason
  return new ApiError(reason.code, `project "${project}": ${reason.message}`)
}

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/json\b/i.test(contentType)
}

function toAnswer(success: PartialSuccess, encoding: SpanRequest['encoding'], signal: Signal): BytesAnswer {
  if (encoding === 'protobuf') return { content_type: 'application/x-protobuf', bytes: protobufResponse(success) }
  return { content_type: 'application/json', bytes: Buffer.from(JSON.stringify(jsonResponse(success, signal))) }
}
