import type { JsonObject } from '@heddle/core-api'
import { isJsonObject, objectsOf } from '../json-values.ts'
import type { LangChainParams } from './langchain-run.ts'

/** The tools of a call in the form of chat completions; null if there are none. */
export function toTools({ invocation_params: params }: LangChainParams): JsonObject[] | null {
  const tools = isJsonObject(params) ? objectsOf(params['tools']).map(toTool) : []
  return tools.length === 0 ? null : tools
}

/** Functions are nested in chat completions, flat in the Responses API, and without a type where Anthropic is called. */
function toTool(tool: JsonObject): JsonObject {
  const { type, input_schema: schema, ...definition } = tool
  if (type === 'function' && !isJsonObject(tool['function'])) return { type, function: definition }
  if (typeof tool['name'] === 'string' && isJsonObject(schema)) return { type: 'function', function: { ...definition, parameters: schema } }
  return tool
}
