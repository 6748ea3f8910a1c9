import type { ReadableSpan } from '../spans/readable-span.ts'

/** Beginnings of attribute names with which instrumentations of models mark their spans. GenAI convention of 2026, and its neighbours. */
const markingPrefixes = [
  'gen_ai.',
  'openinference.',
  'llm.',
  'traceloop.',
  'ai.operationId',
  'ai.model.',
  'langfuse.',
  'langsmith.',
  'mlflow.span',
  'gcp.vertex.agent.',
  'weave.',
  'wandb.',
  'heddle.',
  'trajectory',
] as const

/** Beginnings of scope names of instrumentations that trace models and nothing else. */
const knownScopes = [
  'ai',
  'openinference',
  '@arizeai/openinference',
  '@traceloop/',
  'opentelemetry.instrumentation.openai',
  '@opentelemetry/instrumentation-openai',
  'langfuse',
  'pydantic-ai',
  'strands.telemetry',
  '@heddle/',
] as const

/** Grouping attributes do not show the kind of a span: every span of a conversation has them. */
const groupingPrefixes = [
  'gen_ai.conversation.id',
  'wandb.thread_id',
  'wandb.is_turn',
  'heddle.rollout',
  'heddle.group',
  'heddle.trajectory',
  'heddle.attempt',
] as const

/** Whether a span is about a model, an agent or a tool of one. */
export function isModelSpan({ attributes, instrumentationScope }: Pick<ReadableSpan, 'attributes' | 'instrumentationScope'>): boolean {
  if (isKnownScope(instrumentationScope.name)) return true
  for (const key in attributes) if (startsWithAny(key, markingPrefixes) && !startsWithAny(key, groupingPrefixes)) return true
  return false
}

/** Whether a span is dropped first when the queue is full: it has a parent, and is not about a model, or cannot be read. */
export function isExpendable(span: ReadableSpan): boolean {
  try {
    return span.parentSpanContext !== undefined && !isModelSpan(span)
  } catch {
    return true
  }
}

function isKnownScope(name: string): boolean {
  return knownScopes.some((scope) => (scope === 'ai' ? name === scope : name.startsWith(scope)))
}

function startsWithAny(text: string, prefixes: readonly string[]): boolean {
  for (const prefix of prefixes) if (text.startsWith(prefix)) return true
  return false
}
