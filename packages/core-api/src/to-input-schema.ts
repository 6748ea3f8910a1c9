import { z } from 'zod'
import type { Operation } from './operation.ts'

/** A JSON Schema (draft 2020-12) of an object; its `$ref`s point into its own `$defs`. */
export interface InputSchema {
  type: 'object'
  properties: Record<string, unknown>
  /** Names of the properties that a caller must give. */
  required: string[]
  /** False where the operation refuses unknown keys. */
  additionalProperties?: false
  $defs?: Record<string, unknown>
}

/**
 * The JSON Schema of the input of a client's caller, for tools of language models and for forms: path parameters, query, headers and body as one
 * object. Rules that JSON Schema cannot express are left to the service.
 * @throws TypeError for an operation that takes bytes or files, which are not JSON.
 * @example
 * toInputSchema(tracing.costs.query).required // ['project_id']
 */
export function toInputSchema(operation: Operation): InputSchema {
  if (operation.bytes || operation.multipart) {
    throw new TypeError(`${operation.method} ${operation.path} takes ${operation.bytes ? 'bytes' : 'files'}, which have no JSON Schema`)
  }
  const parts = [operation.body, operation.query, operation.headers, operation.params].flatMap((part) => (part ? [toPart(part)] : []))
  const $defs = Object.assign({}, ...parts.map((part) => part.$defs)) as Record<string, unknown>
  return {
    type: 'object',
    // As in the client, a name in several parts is that of the path, then of the headers and the query.
    properties: Object.assign({}, ...parts.map((part) => part.properties)) as Record<string, unknown>,
    required: [...new Set(parts.flatMap((part) => part.required ?? []))],
    ...(parts.some((part) => part.additionalProperties === false) && { additionalProperties: false as const }),
    ...(Object.keys($defs).length > 0 && { $defs }),
  }
}

type Part = Partial<InputSchema>

/** The schema of one part; a schema with an id becomes a reference to its definition. */
function toPart(schema: z.ZodObject): Part {
  const { $ref, ...part } = z.toJSONSchema(schema, { io: 'input' }) as Part & { $ref?: string }
  const name = $ref?.slice('#/$defs/'.length)
  return name === undefined ? part : { ...(part.$defs?.[name] as Part), $defs: part.$defs ?? {} }
}
