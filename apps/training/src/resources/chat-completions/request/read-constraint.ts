import type { ChatCompletionRequest } from '@heddle/core-api/types'
import { CompiledSize } from '../../../constrained/grammar/compiled-size.ts'
import { compileSchema } from '../../../constrained/schema/compile-schema.ts'
import { SchemaError } from '../../../constrained/grammar/schema-error.ts'
import { compileParameters } from '../../../constrained/tool-calls.ts'
import type { Constraint, JsonConstraint } from '../../../constrained/constraint.ts'
import type { ChatTokenizer } from '../../../tokenizer/chat-tokenizer.ts'
import { toSchemaJson } from './schema-json.ts'
import type { ToolRequest } from './read-tools.ts'
import { refuse } from './refuse.ts'

interface ReadOptions {
  tokenizer: Pick<ChatTokenizer, 'toolCalls' | 'whyNoCalls'>
  model: string
  /** Beyond so much work on the schemas, `SchemaWorkError` is thrown. Default: no bound but those of a request. */
  maxSchemaWork?: number
}

/**
 * The constraint on what the model writes; null for none. Four fields of a request may set one: `response_format`, `tool_choice` that requires a call,
 * `parallel_tool_calls` that is false, and `strict` parameters of a tool. Every schema is compiled once here, so that one that cannot be enforced is refused.
 * @throws ApiError 400 that names the field, and within a schema the keyword that is not enforced
 */
export function readConstraint(
  format: ChatCompletionRequest['response_format'],
  { schemas, choice, parallel }: ToolRequest,
  { tokenizer: { toolCalls, whyNoCalls }, model, maxSchemaWork = Infinity }: ReadOptions,
): Constraint | null {
  const size = new CompiledSize({ maxWork: maxSchemaWork })
  const answer = readFormat(format, size)
  if (choice === 'none') return answer
  if (toolCalls === null) throw refuse('tools', `cannot be called: the chat template of ${model} ${whyNoCalls}; set tool_choice to "none"`)
  const isFree = choice === 'auto' && answer === null && parallel && !schemas.some(({ strict }) => strict)
  if (isFree) return null
  for (const schema of schemas) checked('tools', () => compileParameters(schema, size))
  const { preamble, begin, middle, id, end, separator, epilogue, open } = toolCalls
  return {
    kind: 'tool-call',
    tools: schemas,
    format: { preamble, begin, middle, id, end, separator, epilogue },
    parallel,
    ...(choice === 'auto' && { otherwise: answer ?? { kind: 'text', open } }),
  }
}

function readFormat(format: ChatCompletionRequest['response_format'], size: CompiledSize): JsonConstraint | null {
  if (format === null || format.type === 'text') return null
  if (format.type === 'json_object') return { kind: 'json-object' }
  if (format.type !== 'json_schema') {
    throw refuse(
      'response_format',
      `has the type ${JSON.stringify(format.type.slice(0, 100))}; text, json_object and json_schema are supported`,
    )
  }
  const given = format.json_schema?.schema
  if (!given) throw refuse('response_format', 'has no json_schema.schema, which is the JSON schema of the content')
  const schema = toSchemaJson(given)
  checked('response_format', () => compileSchema(schema, { size }))
  return { kind: 'json-schema', schema }
}

function checked(field: string, compile: () => unknown): void {
  try {
    compile()
  } catch (error) {
    if (error instanceof SchemaError) throw refuse(field, `cannot be enforced: ${error.message}`)
    throw error
  }
}
