import type { ChatCompletionRequest } from '@heddle/core-api/types'
import { maxTools } from '../../../constrained/tool-calls.ts'
import type { ToolSchema } from '../../../constrained/constraint.ts'
import { toSchemaJson } from './schema-json.ts'
import { refuse } from './refuse.ts'

export interface ToolRequest {
  /** As templates read them, with their numbers as they were sent. */
  tools: { type: 'function'; function: Record<string, unknown> }[]
  schemas: ToolSchema[]
  /** `required` with one schema is a call to that tool. */
  choice: 'none' | 'auto' | 'required'
  /** Whether one response may hold several calls. */
  parallel: boolean
}

const namePattern = /^[\w.:-]{1,64}$/

/** Reads `tools`, `tool_choice` and `parallel_tool_calls`. A tool without `type` is the function itself. @throws ApiError 400 that names the field */
export function readTools(request: Pick<ChatCompletionRequest, 'tools' | 'tool_choice' | 'parallel_tool_calls'>): ToolRequest {
  const tools = (request.tools ?? []).map((tool, index) => readTool(tool as Record<string, unknown>, `tools[${index}]`))
  if (tools.length > maxTools) throw refuse('tools', `has ${tools.length} entries; at most ${maxTools} are possible`)
  const schemas = tools.map(({ function: { name, parameters, strict } }) => ({
    name: name as string,
    parameters: toSchemaJson(parameters ?? null),
    strict: strict === true,
  }))
  const parallel = request.parallel_tool_calls ?? true
  const { choice, only } = readChoice(request.tool_choice, schemas)
  return {
    tools,
    schemas: only === null ? schemas : schemas.filter(({ name }) => name === only),
    choice,
    parallel: parallel && only === null,
  }
}

function readTool(tool: Record<string, unknown>, field: string): ToolRequest['tools'][number] {
  const { type, function: wrapped } = tool
  if (type !== undefined && type !== null && type !== 'function')
    throw refuse(`${field}.type`, `is ${JSON.stringify(type)}; only "function" is supported`)
  const called = type === undefined && wrapped === undefined ? tool : wrapped
  if (typeof called !== 'object' || called === null || Array.isArray(called))
    throw refuse(`${field}.function`, 'is missing; it describes the tool')
  const { name, parameters } = called as Record<string, unknown>
  if (typeof name !== 'string' || !namePattern.test(name)) {
    throw refuse(`${field}.function.name`, `is ${JSON.stringify(name)?.slice(0, 100)}; it needs 1 to 64 letters, digits or any of _ . : -`)
  }
  if (parameters !== undefined && parameters !== null && (typeof parameters !== 'object' || Array.isArray(parameters))) {
    throw refuse(`${field}.function.parameters`, 'is not a JSON schema; it must be an object')
  }
  return { type: 'function', function: called as Record<string, unknown> }
}

function readChoice(value: unknown, schemas: readonly ToolSchema[]): { choice: ToolRequest['choice']; only: string | null } {
  if (value === null || value === undefined) return { choice: schemas.length > 0 ? 'auto' : 'none', only: null }
  if (value === 'none') return { choice: 'none', only: null }
  if (value === 'auto') return { choice: schemas.length > 0 ? 'auto' : 'none', only: null }
  const name = value === 'required' ? null : nameOf(value)
  if (schemas.length === 0) throw refuse('tool_choice', 'asks for a call, but there are no tools')
  if (name !== null && !schemas.some((schema) => schema.name === name)) {
    throw refuse('tool_choice', `names the tool ${JSON.stringify(name)}, which is not among the tools`)
  }
  return { choice: 'required', only: name }
}

function nameOf(value: unknown): string {
  const { type, function: called } = (typeof value === 'object' && value !== null ? value : {}) as {
    type?: unknown
    function?: { name?: unknown }
  }
  if (type === 'function' && typeof called?.name === 'string') return called.name.slice(0, 100)
  throw refuse('tool_choice', 'must be "none", "auto", "required" or {"type": "function", "function": {"name": …}}')
}
