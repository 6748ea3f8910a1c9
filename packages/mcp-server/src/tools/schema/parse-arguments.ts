import { z } from 'zod'
import { isJsonNumber } from '@heddle/json/exact'
import { nearestName } from '@heddle/spelling'
import { parseArgument } from './exact-arguments.ts'
import { ToolError } from '../../answer/tool-error.ts'
import { cleanText } from '../../answer/clean-text.ts'
import type { Tool } from '../tool.ts'
import { commonArguments } from './common-arguments.ts'
import { describeTool } from './describe-tool.ts'
import { listBounds } from './list-bounds.ts'

export type ToolInput = Record<string, unknown>

const maxNamed = 5

/**
 * Reads the arguments of a call. Numbers, booleans and lists that arrive as text are parsed, and null is read as absent.
 * @throws ToolError that names the problem, and the nearest existing name for an unknown argument
 */
export function parseArguments(tool: Tool, given: unknown): ToolInput {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ToolError('invalid', 'the arguments are not a JSON object', exampleOf(tool))
  }
  const { properties } = describeTool(tool).inputSchema
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(properties, name))
  if (unknown.length > 0) throw unknownArguments(unknown, Object.keys(properties))
  const members = Object.entries(given).flatMap(([name, value]) =>
    value === null ? [] : [[name, coerce(value, properties[name]?.['type'])] as const],
  )
  for (const [name, value] of members) refuseLongList(name, value, listBounds(tool).get(name))
  const parsed = tool.input.extend(commonArguments).safeParse(Object.fromEntries(members))
  if (parsed.success) {
    refuseBadIds(tool, parsed.data)
    return parsed.data
  }
  const issues = parsed.error.issues.slice(0, maxNamed).map(issueText)
  throw new ToolError('invalid', issues.join('; '), exampleOf(tool))
}

/** The schema would check every entry first, and record an issue for each. */
function refuseLongList(name: string, value: unknown, max: number | undefined): void {
  if (max === undefined || !Array.isArray(value) || value.length <= max) return
  throw new ToolError(
    'invalid',
    `${name} has ${value.length} entries, at most ${max} are allowed`,
    'Name fewer, or call the tool several times.',
  )
}

/** Ids in the path of a request must not be empty or change the path. */
function refuseBadIds({ operation }: Tool, input: ToolInput): void {
  for (const name of Object.keys(operation?.params?.shape ?? {})) {
    const value = input[name]
    if (value === '' || value === '.' || value === '..')
      throw new ToolError('invalid', `${name}: ${JSON.stringify(value)} is not an id`, 'The list tools show the ids that exist.')
  }
}

function unknownArguments(unknown: readonly string[], known: readonly string[]): ToolError {
  const named = unknown.slice(0, maxNamed).map((name) => {
    const shown = JSON.stringify(cleanText(name).slice(0, 60))
    const nearest = nearestName(name, known)
    return nearest === undefined ? shown : `${shown} (did you mean ${JSON.stringify(nearest)}?)`
  })
  return new ToolError('invalid', `unknown argument ${named.join(', ')}`, `The arguments are ${known.join(', ')}.`)
}

function issueText({ path, message }: z.core.$ZodIssue): string {
  const place = path.length === 0 ? 'arguments' : cleanText(path.join('.')).slice(0, 100)
  return `${place}: ${message}`
}

function exampleOf({ input }: Tool): string {
  const required = Object.entries(input.shape).flatMap(([name, schema]) =>
    schema instanceof z.ZodType && schema.safeParse(undefined).success ? [] : [name],
  )
  return required.length > 0
    ? `Required: ${required.join(', ')}. See the description of the tool for an example.`
    : 'See the description of the tool for an example.'
}

/** Models write numbers and lists as text; text that cannot be parsed is left unchanged, so that the refusal is clear. */
function coerce(value: unknown, type: unknown): unknown {
  if (isJsonNumber(value) && (type === 'integer' || type === 'number')) return Number(value)
  if (typeof value !== 'string' || type === 'string' || (Array.isArray(type) && type.includes('string'))) return value
  if (type === 'array' && !value.trimStart().startsWith('[')) return [value]
  if (type !== 'integer' && type !== 'number' && type !== 'boolean' && type !== 'array' && type !== 'object') return value
  try {
    const read = parseArgument(value)
    return typeof read === 'string' ? value : read
  } catch {
    return value
  }
}
