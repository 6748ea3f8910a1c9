import { type InputSchema, toInputSchema } from '@heddle/core-api'
import { z } from 'zod'
import { effectOf, type Tool } from '../tool.ts'
import { toAnswerSchema } from './answer-schema.ts'
import { commonArguments } from './common-arguments.ts'
import { type PlainSchema, toPlainSchema } from './plain-schema.ts'

/** A tool as it is listed. */
export interface ToolDescription {
  name: string
  title: string
  description: string
  inputSchema: { type: 'object'; properties: Record<string, PlainSchema>; required?: string[] }
  outputSchema: { type: 'object'; [key: string]: unknown }
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint: false }
}

const described = new WeakMap<Tool, ToolDescription>()

/** Projects what a tool takes and answers from the contract; once for each tool. */
export function describeTool(tool: Tool): ToolDescription {
  const known = described.get(tool)
  if (known) return known
  const description = project(tool)
  described.set(tool, description)
  return description
}

function project(tool: Tool): ToolDescription {
  const effect = effectOf(tool)
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    outputSchema: outputSchemaOf(tool),
    annotations: {
      readOnlyHint: effect === 'read',
      // For tools that only read, the two mean nothing.
      ...(effect !== 'read' && { destructiveHint: effect === 'destroy', idempotentHint: tool.idempotent ?? false }),
      openWorldHint: false,
    },
  }
}

function inputSchemaOf({ operation, input, inputDepth = 1 }: Tool): ToolDescription['inputSchema'] {
  const schema = jsonSchemaOf(input.extend(commonArguments), operation)
  const { properties } = toPlainSchema(schema, schema.$defs ?? {}, {
    maxDepth: inputDepth,
    describedDepth: 1,
  })
  return {
    type: 'object',
    properties: properties as Record<string, PlainSchema>,
    ...(schema.required.length > 0 && { required: schema.required }),
  }
}

/** All that is known of the arguments; listings leave out what costs conversations more than it helps. */
export function jsonSchemaOf(body: z.ZodObject, operation: Tool['operation']): InputSchema {
  if (!operation) return { required: [], ...(z.toJSONSchema(body, { io: 'input' }) as object) } as unknown as InputSchema
  const { params: _params, query: _query, headers: _headers, ...rest } = operation
  return toInputSchema({ ...rest, body })
}

/** Errors have `error` instead of `data`. The instructions describe the fields that all answers share (page, truncated, warnings). */
function outputSchemaOf({ output }: Tool): ToolDescription['outputSchema'] {
  const schema = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' }) as { $defs?: Record<string, unknown> }
  return { type: 'object', properties: { data: toAnswerSchema(schema, schema.$defs ?? {}) } }
}
