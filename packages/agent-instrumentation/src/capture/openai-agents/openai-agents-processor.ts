import type { JsonObject } from '@heddle/core-api'
import type { Attributes } from '@opentelemetry/api'
import type { ActiveTrajectory } from '../active-trajectory.ts'
import { recordable } from '../model-api.ts'
import { putBounded } from '../put-bounded.ts'
import type { Outcome, Recorder } from '../recorder.ts'
import { createRunSpans } from '../run-spans.ts'
import { toOutcome } from './model-call-of-span.ts'

/** Trace processor for the OpenAI Agents SDK: give it to `addTraceProcessor`, or to `setTraceProcessors` to send nothing to OpenAI. */
export interface OpenAiAgentsProcessor {
  onTraceStart(trace: unknown): Promise<void>
  onTraceEnd(trace: unknown): Promise<void>
  onSpanStart(span: AgentsSpan): Promise<void>
  onSpanEnd(span: AgentsSpan): Promise<void>
  shutdown(): Promise<void>
  forceFlush(): Promise<void>
}

interface OpenCall {
  recorder: Recorder
  trajectory: Pick<ActiveTrajectory, 'log'> | undefined
  /** Tools of the agent that makes the call. */
  toolNames: readonly string[]
  end: (outcome: Outcome) => boolean
}

export interface OpenAiAgentsProcessorOptions {
  recorderNow: () => Recorder | undefined
  trajectoryNow: () => Pick<ActiveTrajectory, 'log'> | undefined
  captureContent: boolean
}

/**
 * Spans of agents, tools and handoffs, and the model calls that no source that sees them travel has recorded. Outside of a trajectory it does nothing. The
 * ids of the SDK are not ids of OpenTelemetry, so its spans become spans of the program's own tracer.
 */
export function createOpenAiAgentsProcessor({
  recorderNow,
  trajectoryNow,
  captureContent,
}: OpenAiAgentsProcessorOptions): OpenAiAgentsProcessor {
  const spans = createRunSpans()
  const calls = new Map<string, OpenCall>()
  /** Data from spans about the agent that they belong to. */
  const agents = new Map<string, JsonObject>()
  const told = new WeakSet<Recorder>()

  function startCall(recorder: Recorder, { spanId, parentId }: AgentsSpan, { model }: JsonObject) {
    const parent = parentId ?? undefined
    const end = recorder.beginReported(model, spans.contextOf(parent))
    putBounded(calls, spanId, { recorder, end, trajectory: trajectoryNow(), toolNames: namesOf(parent && agents.get(parent)?.['tools']) })
  }

  function start(span: AgentsSpan) {
    const recorder = recorderNow()
    if (!recorder) return
    const data = dataOf(span)
    if (data['type'] === 'generation' || data['type'] === 'response') return startCall(recorder, span, data)
    const run = { id: span.spanId, parentId: span.parentId ?? undefined }
    const agent = data['type'] === 'agent' ? data : run.parentId && agents.get(run.parentId)
    if (agent) putBounded(agents, run.id, agent)
    spans.start({ ...run, name: spanName(data), attributes: startAttributes(data) })
  }

  function endCall(call: OpenCall, data: JsonObject, error: AgentsSpan['error']) {
    const wasLeft = call.end(error ? { error: new Error(error.message) } : recordable(() => toOutcome(data, call)))
    const lacksTools = data['type'] === 'generation' && call.toolNames.length > 0
    if (error || !wasLeft || !lacksTools || told.has(call.recorder)) return
    told.add(call.recorder)
    call.trajectory?.log(
      'tools are recorded by name alone: spans of the Agents SDK do not define them; wrap its client to record them whole',
    )
  }

  function end(span: AgentsSpan) {
    const { spanId: id, error } = span
    const data = dataOf(span)
    const call = calls.get(id)
    calls.delete(id)
    if (call) endCall(call, data, error)
    agents.delete(id)
    if (spans.has(id)) spans.end(id, { error: error?.message, attributes: endAttributes(data, captureContent) })
  }

  return {
    onTraceStart: async () => undefined,
    onTraceEnd: async () => undefined,
    async onSpanStart(span) {
      // The SDK names the model right after it has started the span.
      await undefined
      start(span)
    },
    onSpanEnd: async (span) => end(span),
    shutdown: async () => undefined,
    forceFlush: async () => undefined,
  }
}

function namesOf(tools: unknown): string[] {
  return Array.isArray(tools) ? tools.filter((name) => typeof name === 'string') : []
}

function spanName({ type, name }: JsonObject): string {
  const named = typeof name === 'string' ? ` ${name}` : ''
  if (type === 'agent') return `invoke_agent${named}`
  if (type === 'function') return `execute_tool${named}`
  return `${String(type)}${named}`
}

function startAttributes({ type, name }: JsonObject): Attributes {
  if (typeof name !== 'string') return {}
  if (type === 'agent') return { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': name }
  if (type === 'function') return { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name }
  return {}
}

/** Attributes that are known only when the span ends. */
function endAttributes(
  { type, input, output, from_agent: from, to_agent: to, triggered }: JsonObject,
  captureContent: boolean,
): Attributes {
  if (type === 'handoff') return { 'handoff.from_agent': String(from), 'handoff.to_agent': String(to) }
  if (type === 'guardrail') return { 'guardrail.triggered': triggered === true }
  if (type !== 'function' || !captureContent) return {}
  return { 'gen_ai.tool.call.arguments': String(input), 'gen_ai.tool.call.result': String(output) }
}

/** A span of the OpenAI Agents SDK, as far as it is read here. Its types are wider, so that this package needs none of it. */
interface AgentsSpan {
  spanId: string
  parentId: string | null
  spanData: { type: string }
  error: { message: string } | null
}

/** Data of a span, with the fields of any kind. */
function dataOf({ spanData }: AgentsSpan): JsonObject {
  return spanData as unknown as JsonObject
}
