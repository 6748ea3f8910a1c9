import { type Attributes, type Context, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { trajectoryAttribute } from '@heddle/core-api/attributes'
import type { Outcome, RecordedExchange } from '../capture/recorder.ts'
import { isJsonObject } from '../capture/json-values.ts'
import { tracerName } from '../spans/tracer-name.ts'

/** Names of the semantic conventions for generative AI. */
const genAi = {
  operation: 'gen_ai.operation.name',
  requestModel: 'gen_ai.request.model',
  responseModel: 'gen_ai.response.model',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  tools: 'gen_ai.tool.definitions',
} as const

/** Starts the span of a chat completion, with the ids of its trajectory. Without a tracer provider it records nothing. */
export function startModelCall(model: unknown, ids: Attributes, parent: Context = context.active()): Span {
  const name = typeof model === 'string' ? model : 'unknown'
  const attributes = { ...ids, [genAi.operation]: 'chat', [genAi.requestModel]: name }
  return trace.getTracer(tracerName).startSpan(`chat ${name}`, { kind: SpanKind.CLIENT, attributes }, parent)
}

export interface ModelCallDetails {
  /** Index of the first choice in its trajectory. */
  choiceIndex: number
  /** Whether messages and choices are written on the span. */
  withContent: boolean
  /** When the call ended, by the clock of `performance.now()`: its outcome may be read later. */
  endedAtMs: number
}

/** A call that was recorded elsewhere has a span there: this one is left without an end, and so is not exported. */
export function endModelCall(span: Span, outcome: Outcome, details: ModelCallDetails) {
  if ('recordedElsewhere' in outcome) return
  if ('error' in outcome) span.setStatus({ code: SpanStatusCode.ERROR, message: String(outcome.error) })
  else if (!('unrecordable' in outcome) && span.isRecording()) describe(span, outcome, details)
  span.end(details.endedAtMs)
}

function describe(
  span: Span,
  { model, policyVersion, messages, tools, choices }: RecordedExchange,
  { choiceIndex, withContent }: ModelCallDetails,
) {
  span.setAttribute(trajectoryAttribute.choiceIndex, choiceIndex)
  if (model !== undefined) span.setAttributes({ [genAi.responseModel]: model, [trajectoryAttribute.policyModel]: model })
  if (policyVersion !== undefined) span.setAttribute(trajectoryAttribute.policyVersion, policyVersion)
  const tokens = choices.map((choice) => (Array.isArray(choice['token_ids']) ? choice['token_ids'].length : 0)).reduce((a, b) => a + b, 0)
  if (tokens > 0) span.setAttribute(genAi.outputTokens, tokens)
  const prompt = choices[0]?.['prompt_token_ids']
  if (Array.isArray(prompt)) span.setAttribute(genAi.inputTokens, prompt.length)
  if (!withContent) return
  span.setAttribute(genAi.inputMessages, JSON.stringify(messages))
  span.setAttribute(genAi.outputMessages, JSON.stringify(choices.map(({ message }) => message).filter(isJsonObject)))
  span.setAttribute(trajectoryAttribute.choices, JSON.stringify(choices))
  if (tools) span.setAttribute(genAi.tools, JSON.stringify(tools))
}
