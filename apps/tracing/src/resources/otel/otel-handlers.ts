import { ApiError, isApiError, type BytesAnswer, type Handlers, type tracing } from '@heddle/core-api'
import type { ProjectScope } from '@heddle/identity'
import type { TracingContext } from '../../context.ts'
import { jsonResponse, type PartialSuccess, protobufResponse, type Signal } from '../../otlp/export-response.ts'
import type { EnsureOps } from '../objects/publish/ensure-ops.ts'
import { EncodedCall } from '../calls/row/encoded-call.ts'
import type { CallsWriter, ProjectChanges } from '../calls/write/calls-writer.ts'
import type { CallChange } from '../calls/write/call-change.ts'
import type { ProjectMessages } from './prepare-logs.ts'
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

/** What a request has of one project, which the caller may write. */
interface OfProject<Item> {
  project: ProjectScope
  of: Item[]
}

/** Spans or log records that are not stored, and why. */
interface Refusal {
  count: number
  error: ApiError
}

/** The door of OpenTelemetry: spans become calls, and events of generative AI among log records the messages of these. */
export function otelHandlers({
  preparer,
  writer,
  ensureOps,
  options,
  onRejected,
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
      await writer.write(await Promise.all(allowed.map((group) => toChanges(group, context))))
      // Only where all went well: a write that failed may still be under way.
      preparer.release(prepared.rows)
      const success = notStored(prepared, refused)
      onRejected(success.rejected)
      return toAnswer(success, request.encoding, 'traces')
    },
    async exportLogs(input, context) {
      const request = toRequest(input, context)
      const prepared = await preparer.prepareLogs(request, context.flow)
      if (prepared.status === 'refused') throw new ApiError(prepared.code, prepared.reason)
      const { allowed, refused } = await openProjects(prepared.messages, context)
      if (allowed.length === 0 && refused[0] !== undefined) throw refused[0].error
      await writer.write(allowed.map(({ project, of }) => ({ project, changes: of.map(toLoggedChange) })))
      return toAnswer(notStored(prepared, refused), request.encoding, 'logs')
    },
  }

  function toRequest(input: ExportInput, context: TracingContext): SpanRequest {
    const encoding = isJson(input.content_type) ? 'json' : 'protobuf'
    const headers = { project: input.project_id ?? input['project-id'], run: input.wb_run_id }
    return { bytes: input.bytes, encoding, headers, options, userId: context.caller.userId }
  }
}

/** What the requests of both signals have. */
type ExportInput = Parameters<Handlers<(typeof tracing)['otel'], TracingContext>['exportTrace']>[0]

const toLoggedChange = ({ id, logged }: ProjectMessages): CallChange => ({ kind: 'logged', id, messages: logged })

function notStored({ rejected, message }: { rejected: number; message: string }, refused: readonly Refusal[]): PartialSuccess {
  const messages = [message, ...refused.map(({ error }) => error.message)].filter((text) => text !== '')
  return { rejected: rejected + refused.reduce((sum, { count }) => sum + count, 0), message: messages.join('; ') }
}

function callsOf({ rows, ends }: PreparedSpans): EncodedCall[] {
  return ends.map((end, index) => {
    const start = index === 0 ? 0 : (ends[index - 1] as number)
    return new EncodedCall(Buffer.from(rows.buffer, rows.byteOffset + start, end - start))
  })
}

async function openProjects<Item extends { project_id: string }>(items: readonly Item[], context: TracingContext) {
  const groups = [...groupByProject(items)]
  const opened = await Promise.allSettled(groups.map(([id]) => context.open(id)))
  const allowed: OfProject<Item>[] = []
  const refused: Refusal[] = []
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

function groupByProject<Item extends { project_id: string }>(items: readonly Item[]): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const own = groups.get(item.project_id)
    if (own === undefined) groups.set(item.project_id, [item])
    else own.push(item)
  }
  return groups
}

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /^application\/json\b/i.test(contentType)
}

function toAnswer(success: PartialSuccess, encoding: SpanRequest['encoding'], signal: Signal): BytesAnswer {
  if (encoding === 'protobuf') return { content_type: 'application/x-protobuf', bytes: protobufResponse(success) }
  return { content_type: 'application/json', bytes: Buffer.from(JSON.stringify(jsonResponse(success, signal))) }
}
