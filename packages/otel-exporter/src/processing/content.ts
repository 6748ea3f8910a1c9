import type { Attributes } from '@opentelemetry/api'
import { copySpan } from '../spans/copy-span.ts'
import type { ReadableSpan } from '../spans/readable-span.ts'

/** How much of prompts, completions and other content is sent: all, only its length, or nothing. */
export type ContentCapture = 'full' | 'metadata' | 'none'

/** Beginnings of names of attributes that hold content, over all common instrumentations. */
const contentPrefixes = [
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.system_instructions',
  'gen_ai.prompt',
  'gen_ai.completion',
  'gen_ai.content.',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
  'gen_ai.tool.definitions',
  'gen_ai.agent.tools',
  'gen_ai.retrieval.query.text',
  'gen_ai.retrieval.documents',
  'gen_ai.event.content',
  'gen_ai.evaluation.explanation',
  'ai.prompt',
  'ai.response.text',
  'ai.response.object',
  'ai.response.toolCalls',
  'ai.response.reasoning',
  'ai.response.files',
  'ai.toolCall.args',
  'ai.toolCall.result',
  'ai.value',
  'ai.embedding',
  'ai.result',
  'input.value',
  'output.value',
  'llm.input_messages',
  'llm.output_messages',
  'llm.prompts',
  'llm.completions',
  'llm.tools',
  'llm.function_call',
  'retrieval.documents',
  'reranker.',
  'embedding.embeddings',
  'tool.parameters',
  'traceloop.entity.input',
  'traceloop.entity.output',
  'langfuse.observation.input',
  'langfuse.observation.output',
  'langfuse.trace.input',
  'langfuse.trace.output',
  'mlflow.spanInputs',
  'mlflow.spanOutputs',
  'gcp.vertex.agent.llm_request',
  'gcp.vertex.agent.llm_response',
  'gcp.vertex.agent.tool_call_args',
  'gcp.vertex.agent.tool_response',
  'pydantic_ai.all_messages',
  'final_result',
  'all_messages_events',
  'request_data',
  'response_data',
  'system_prompt',
  'tool_arguments',
  'tool_response',
] as const

/** Attributes that are content by their whole name. */
const contentNames: ReadonlySet<string> = new Set(['input', 'inputs', 'output', 'outputs', 'content', 'message', 'messages', 'arguments'])

/** The span without its content. The original is unchanged. */
export function removeContent(span: ReadableSpan, capture: 'metadata' | 'none'): ReadableSpan {
  return copySpan(span, {
    attributes: withoutContentOf(span.attributes, { capture, isEvent: false }),
    events: span.events.map((event) => {
      const isEvent = isModelEvent(event.name)
      return event.attributes === undefined ? event : { ...event, attributes: withoutContentOf(event.attributes, { capture, isEvent }) }
    }),
  })
}

function withoutContentOf(attributes: Attributes, { capture, isEvent }: { capture: 'metadata' | 'none'; isEvent: boolean }): Attributes {
  const kept: Attributes = {}
  for (const [key, value] of Object.entries(attributes)) {
    if (!isContent(key, isEvent)) kept[key] = value
    else if (capture === 'metadata' && typeof value === 'string') kept[`heddle.content_length.${key}`] = value.length
  }
  return kept
}

/** Members of events of the GenAI convention are content unless they are named as its other attributes. */
function isContent(key: string, isEvent: boolean): boolean {
  if (contentPrefixes.some((prefix) => key.startsWith(prefix))) return true
  if (isEvent) return !key.startsWith('gen_ai.')
  return contentNames.has(key) || isIndexedContent(key)
}

/** `inputs.question`, `output.0.text`. */
function isIndexedContent(key: string): boolean {
  return /^(inputs?|outputs?)\.(?!mime_type)/.test(key)
}

function isModelEvent(name: string): boolean {
  return name.startsWith('gen_ai.') && name !== 'gen_ai.evaluation.result'
}
