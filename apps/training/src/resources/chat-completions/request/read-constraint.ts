import type { ChatCompletionRequest } from '@heddle/core-api'
import { CompiledSize } from '../../../constrained/schema/compiled-size.ts'
import { compileSchema } from '../../../constrained/schema/compile-schema.ts'
import { SchemaError } from '../../../constrained/schema/schema-error.ts'
import { compileParameters } from '../../../constrained/tool-calls.ts'
import type { Constraint } from '../../../engine/engine.ts'
import type { ChatTokenizer } from '../../../tokenizer/chat-tokenizer.ts'
import { toPlainJson } from './plain-json.ts'
import type { ToolRequest } from './read-tools.ts'
import { refuse } from './refuse.ts'

/**
 * What `response_format` or a required call lets the model write; null when it is free.
 * @throws ApiError 400 that names the field, and within a schema the keyword that is not enforced
 */
export function readConstraint(
  format: ChatCompletionRequest['response_format'],
  { schemas, choice, parallel }: ToolRequest,
  { toolCalls, model }: { toolCalls: ChatTokenizer['toolCalls']; model: string },
): Constraint | null {
  const constraint = readFormat(format)
  if (choice === 'none') return constraint
  if (constraint !== null) throw refuse('response_format', 'cannot be combined with tools that may be called; set tool_choice to "none"')
  if (toolCalls === null)
    throw refuse('tools', `cannot be called: the chat template of ${model} writes no calls; set tool_choice to "none"`)
  if (choice === 'auto') return null
  const size = new CompiledSize()
  for (const schema of schemas) checked('tools', () => compileParameters(schema, size))
  const { preamble, begin, middle, id, end, separator, epilogue } = toolCalls
  return { kind: 'tool-call', tools: schemas, format: { preamble, begin, middle, id, end, separator, epilogue }, parallel }
}

function readFormat(format: ChatCompletionRequest['response_format']): Constraint | null {
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
  const schema = toPlainJson(given)
  checked('response_format', () => compileSchema(schema))
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
