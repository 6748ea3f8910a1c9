import type { JsonObject } from '@heddle/core-api'
import { functionNameIn } from '@heddle/core-api/histories'
import { isJsonObject } from '@heddle/core-api/internal'
import { refuse } from '../chat-completions/request/refuse.ts'

/** A function of a request, in a namespace or in none. */
export interface NamedFunction {
  namespace: string | null
  name: string
  tool: JsonObject
  /** Its place in the request. */
  field: string
  /** What its namespace is for; null except at the first function of a namespace. */
  about: string | null
}

/** Longest name of a function in chat completions. */
const maxName = 64

/**
 * The functions of a request, those of its namespaces included. Chat completions know no namespaces, so each name has its namespace in it.
 * @throws ApiError 400 that names the tool that cannot be called, or whose name is too long or that of another one
 */
export function listFunctions(tools: readonly JsonObject[]): NamedFunction[] {
  const functions = tools.flatMap((tool, index) => {
    const field = `tools[${index}]`
    return tool['type'] === 'namespace' ? ofNamespace(tool, field) : [toFunction(tool, field, null)]
  })
  const seen = new Map<string, NamedFunction>()
  for (const each of functions) {
    const { namespace, name, field } = each
    const flat = functionNameIn(namespace, name)
    if (namespace !== null && flat.length > maxName)
      throw refuse(
        `${field}.name`,
        `is ${JSON.stringify(flat.slice(0, 200))} with its namespace; ${maxName} characters are the most, so shorten either`,
      )
    const other = seen.get(flat)
    if (other && (namespace !== null || other.namespace !== null))
      throw refuse(`${field}.name`, `is ${JSON.stringify(flat)} with its namespace, as is ${other.field}; rename one`)
    seen.set(flat, each)
  }
  return functions
}

function ofNamespace({ name: namespace, description, tools }: JsonObject, field: string): NamedFunction[] {
  if (typeof namespace !== 'string' || namespace === '') throw refuse(`${field}.name`, 'must be a string that is not empty')
  if (!Array.isArray(tools)) throw refuse(`${field}.tools`, 'must be a list of functions')
  const functions = tools.map((tool: unknown, index) => toFunction(tool, `${field}.tools[${index}]`, namespace))
  const about = typeof description === 'string' && description !== '' ? description : null
  return functions.map((each, index) => (index === 0 ? { ...each, about } : each))
}

function toFunction(tool: unknown, field: string, namespace: string | null): NamedFunction {
  const { type, name } = isJsonObject(tool) ? tool : {}
  if (!isJsonObject(tool) || type !== 'function')
    throw refuse(
      `${field}.type`,
      `is ${JSON.stringify(type)?.slice(0, 100)}; "function" and "namespace" are supported, whose functions the client calls: switch this tool off in the client`,
    )
  return { namespace, name: typeof name === 'string' ? name : '', tool, field, about: null }
}

/** The name and the namespace of a function that was called by its name in chat completions. */
export function calledFunction(tools: readonly JsonObject[] | null, flat: string): { name: string; namespace?: string } {
  for (const tool of tools ?? []) {
    const { type, name: namespace, tools: functions } = tool
    if (type !== 'namespace' || typeof namespace !== 'string' || !Array.isArray(functions)) continue
    const found = functions.find((each: unknown) => isJsonObject(each) && functionNameIn(namespace, String(each['name'])) === flat) as
      | JsonObject
      | undefined
    if (found) return { name: String(found['name']), namespace }
  }
  return { name: flat }
}
