import { type Attributes, context, isSpanContextValid, type Span, type SpanContext, SpanStatusCode, trace } from '@opentelemetry/api'
import { trajectoryAttribute } from '@heddle/core-api/attributes'
import type { RewardOptions, Trajectory } from '../context/trajectory.ts'
import { tracerName } from './tracer-name.ts'

type TrajectoryIds = Pick<Trajectory, 'id' | 'groupId' | 'rolloutId' | 'attemptIndex'>

/** The attributes that every span of a trajectory carries. */
export function trajectoryAttributes({ id, groupId, rolloutId, attemptIndex }: TrajectoryIds) {
  return {
    [trajectoryAttribute.rolloutId]: rolloutId,
    [trajectoryAttribute.groupId]: groupId,
    [trajectoryAttribute.trajectoryId]: id,
    [trajectoryAttribute.attemptIndex]: attemptIndex,
  }
}

/** The span of an attempt, around everything that it does. */
export interface TrajectorySpan {
  /** Ids for the trajectory's metadata; undefined where nothing traces. */
  ids: { trace_id: string; root_span_id: string } | undefined
  /** The same as a header; undefined where nothing traces. */
  traceparent: string | undefined
  /** What every span of the trajectory carries. */
  attributes: Attributes
  run<T>(work: () => T): T
  end(outcome: { reward: number | undefined; options: RewardOptions; error: unknown }): void
}

export function startTrajectorySpan(trajectory: TrajectoryIds): TrajectorySpan {
  const attributes = trajectoryAttributes(trajectory)
  const span = trace.getTracer(tracerName).startSpan('trajectory', { attributes })
  const around = trace.setSpan(context.active(), span)
  return {
    attributes,
    ...namesOf(span.spanContext()),
    run: (work) => context.with(around, work),
    end({ reward, options, error }) {
      if (reward !== undefined) addReward(span, reward, options)
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: String(error) })
      span.end()
    },
  }
}

/** The span of an attempt that another process has started, and ends. */
export function continueTrajectorySpan(traceparent: string | undefined, trajectory: TrajectoryIds): TrajectorySpan {
  const [, traceId = '', spanId = '', flags = '0'] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent ?? '') ?? []
  const remote: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  const around = isSpanContextValid(remote) ? trace.setSpanContext(context.active(), remote) : context.active()
  return {
    ...namesOf(remote),
    attributes: trajectoryAttributes(trajectory),
    run: (work) => context.with(around, work),
    end: () => undefined,
  }
}

function namesOf(spanContext: SpanContext): Pick<TrajectorySpan, 'ids' | 'traceparent'> {
  if (!isSpanContextValid(spanContext)) return { ids: undefined, traceparent: undefined }
  const { traceId, spanId, traceFlags } = spanContext
  return {
    ids: { trace_id: traceId, root_span_id: spanId },
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
  }
}

/** As attributes of ours, and as the event of the semantic conventions, which other backends show. */
function addReward(span: Span, reward: number, { name = 'reward', source }: RewardOptions) {
  span.setAttributes({
    [trajectoryAttribute.rewardValue]: reward,
    [trajectoryAttribute.rewardName]: name,
    ...(source !== undefined && { [trajectoryAttribute.rewardSource]: source }),
  })
  span.addEvent('gen_ai.evaluation.result', { 'gen_ai.evaluation.name': name, 'gen_ai.evaluation.score.value': reward })
}
