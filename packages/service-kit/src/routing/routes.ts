import type { Operation, Resource } from '@heddle/core-api'
import type { Endpoint, PlacedEndpoint } from './endpoint.ts'

/** The operations of a service by resource. */
export type Contract = Readonly<Record<string, Resource>>

/** An operation with the names under which it was declared. */
export interface NamedOperation {
  /** `<resource>.<operation>`, as in logs. */
  name: string
  resource: string
  operation: Operation
}

/** One path and its methods. */
export interface Route {
  /** In the router's form: `/objs/:object_id`. */
  pattern: string
  byMethod: ReadonlyMap<string, Endpoint>
}

/** All operations of a contract, in its order. */
export function listOperations(contract: Contract): NamedOperation[] {
  return Object.entries(contract).flatMap(([resource, operations]) =>
    Object.entries(operations).map(([key, operation]) => ({ name: `${resource}.${key}`, resource, operation })),
  )
}

/** A path of the contract in the router's form, under each prefix; `''` is the root. */
export function patternsOf(path: string, prefixes: readonly string[]): string[] {
  return prefixes.map((prefix) => prefix.replace(/\/+$/, '') + path.replace(/\{(\w+)\}/g, ':$1'))
}

/**
 * Groups endpoints by path, fixed paths before those with parameters.
 * @throws Error when two endpoints share method and path, or two paths differ in the names of their parameters alone
 */
export function toRoutes(endpoints: readonly PlacedEndpoint[]): Route[] {
  const byPattern = new Map<string, Map<string, Endpoint>>()
  const patternByShape = new Map<string, string>()
  for (const { method, pattern, endpoint } of endpoints) {
    const shape = shapeOf(pattern)
    const known = patternByShape.get(shape) ?? pattern
    if (known !== pattern) throw new Error(`${known} and ${pattern} are the same path; use the same parameter names`)
    const byMethod = byPattern.get(pattern) ?? new Map<string, Endpoint>()
    if (byMethod.has(method)) throw new Error(`two operations answer ${method} ${pattern}`)
    patternByShape.set(shape, pattern)
    byPattern.set(pattern, byMethod.set(method, endpoint))
  }
  return [...byPattern]
    .map(([pattern, byMethod]) => ({ pattern, byMethod }))
    .sort((a, b) => compare(shapeOf(a.pattern), shapeOf(b.pattern)))
}

/** Sorts a parameter after every fixed segment at the same position. */
const shapeOf = (pattern: string) => pattern.replace(/:\w+/g, '\uffff')
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
