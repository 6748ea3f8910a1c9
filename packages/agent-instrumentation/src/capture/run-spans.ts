import { type Attributes, type Context, context, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import { activeTrajectory } from './active-trajectory.ts'
import { tracerName } from '../spans/tracer-name.ts'
import { trajectoryAttributes } from '../spans/trajectory-span.ts'
import { putBounded } from './put-bounded.ts'

/** Spans of a framework's runs, such as nodes, agents and tools, by the framework's ids. */
export interface RunSpans {
  /** Begins the span of a run below that of another one, or below the active one. */
  start(run: { id: string; parentId: string | undefined; name: string; attributes: Attributes }): void
  /** Maps a run without its own span to the span of the run that it belongs to. */
  pass(run: { id: string; parentId: string | undefined }): void
  /** The context for children of the run; the active context if the run is unknown. */
  contextOf(id: string | undefined): Context
  has(id: string): boolean
  end(id: string, outcome?: { error?: string | undefined; attributes?: Attributes }): void
}

interface Run {
  around: Context
  /** Undefined for a run that passes its parent on. */
  span: Span | undefined
}

export function createRunSpans(): RunSpans {
  const runs = new Map<string, Run>()

  function contextOf(id: string | undefined): Context {
    return (id !== undefined && runs.get(id)?.around) || context.active()
  }

  return {
    contextOf,
    has: (id) => runs.has(id),
    start({ id, parentId, name, attributes }) {
      const parent = contextOf(parentId)
      const trajectory = activeTrajectory()
      const ids = trajectory && trajectoryAttributes(trajectory)
      const span = trace.getTracer(tracerName).startSpan(name, { attributes: { ...ids, ...attributes } }, parent)
      putBounded(runs, id, { span, around: trace.setSpan(parent, span) })
    },
    pass: ({ id, parentId }) => putBounded(runs, id, { span: undefined, around: contextOf(parentId) }),
    end(id, { error, attributes } = {}) {
      const span = runs.get(id)?.span
      runs.delete(id)
      if (!span) return
      if (attributes) span.setAttributes(attributes)
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
      span.end()
    },
  }
}
