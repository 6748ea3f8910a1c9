import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { Telemetry } from './telemetry.ts'

type ServerSpans = Omit<Telemetry, 'close'>

const propagator = new W3CTraceContextPropagator()
const headersGetter = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
}

/**
 * Spans of requests, of their statements, and of jobs. Their context is held here and not in the registry of the process, which belongs to
 * programs that start a server within their own.
 */
export function createServerSpans(tracer: Tracer | undefined): ServerSpans {
  if (tracer === undefined) return noSpans
  const contexts = new AsyncLocalStorageContextManager().enable()

  const begin = (name: string, { kind, attributes, parent }: BegunSpan): { span: Span; context: Context } => {
    const span = tracer.startSpan(name, { kind, attributes }, parent)
    return { span, context: trace.setSpan(parent, span) }
  }

  return {
    traceRequest({ method, operation, headers }) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, headersGetter)
      const attributes = { 'http.request.method': method, 'heddle.operation': operation ?? 'none' }
      const { span, context } = begin(operation ?? method, { kind: SpanKind.SERVER, attributes, parent })
      return {
        run: (work) => contexts.with(context, work),
        end({ status, waited, refusal, cut, bodyBytes }) {
          span.setAttributes({
            'http.response.status_code': status,
            'heddle.queued_ms': waited,
            ...(bodyBytes !== undefined && { 'http.request.body.size': bodyBytes }),
            ...((refusal ?? cut) !== undefined && { 'error.type': refusal ?? cut }),
          })
          if (status >= 500 || cut !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    traceStatement({ kind, table }) {
      const parent = contexts.active()
      // The server's own checks of the engine would be a trace every few seconds.
      if (trace.getSpan(parent) === undefined) return { end: () => undefined }
      const attributes = {
        'db.system.name': 'clickhouse',
        'db.operation.name': kind,
        ...(table !== undefined && { 'db.collection.name': table }),
      }
      const { span } = begin(table === undefined ? `engine ${kind}` : `engine ${kind} ${table}`, {
        kind: SpanKind.CLIENT,
        attributes,
        parent,
      })
      return {
        end(failure) {
          if (failure !== undefined) span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    async traceJob({ kind, attempt }, work) {
      // What woke the worker is not the cause of the job.
      const attributes = { 'heddle.job.kind': kind, 'heddle.job.attempt': attempt }
      const { span, context } = begin(`job ${kind}`, { kind: SpanKind.CONSUMER, attributes, parent: ROOT_CONTEXT })
      try {
        return await contexts.with(context, work)
      } catch (error) {
        // Its message may hold what the job is about.
        span.setAttribute('error.type', error instanceof Error ? error.name : 'Error').setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    },
    onSpans: ({ stored, rejected }) =>
      void trace.getSpan(contexts.active())?.setAttributes({ 'heddle.spans.stored': stored, 'heddle.spans.rejected': rejected }),
  }
}

interface BegunSpan {
  kind: SpanKind
  attributes: Record<string, string | number>
  parent: Context
}

const noSpans: ServerSpans = {
  traceRequest: () => undefined,
  traceStatement: () => ({ end: () => undefined }),
  traceJob: (_job, work) => work(),
  onSpans: () => undefined,
}
