import type { Operation, Resource } from '@heddle/core-api'

/** The operations of a service by resource. */
export type Contract = Readonly<Record<string, Resource>>

/** An operation with the names under which it was declared. */
export interface NamedOperation {
  /** `<resource>.<operation>`, as in logs. */
  name: string
  resource: string
  operation: Operation
}

/** One path and what its methods do. */
export interface Route<Target> {
  /** In the router's form: `/objs/:object_id`. */
  pattern: string
  byMethod: ReadonlyMap<string, Target>
}

/** Something that answers a method of a path. */
export interface Placed<Target> {
  method: string
  path: string
  target: Target
}

/** All operations of a contract, in its order. */
export function listOperations(contract: Contract): NamedOperation[] {
  return Object.entries(contract).flatMap(([resource, operations]) =>
    Object.entries(operations).map(([key, operation]) => ({ name: `${resource}.${key}`, resource, operation })),
  )
}

/**
 * Groups targets by path, under each prefix (`''` is the root), fixed paths before those with parameters.
 * @throws Error when two targets share method and path
 */
export function toRoutes<Target>(placed: readonly Placed<Target>[], prefixes: readonly string[]): Route<Target>[] {
  const routes = new Map<string, Map<string, Target>>()
  for (const prefix of prefixes) {
    for (const { method, path, target } of placed) {
      const pattern = prefix.replace(/\/+$/, '') + path.replace(/\{(\w+)\}/g, ':$1')
      const byMethod = routes.get(pattern) ?? new Map<string, Target>()
      if (byMethod.has(method)) throw new Error(`two operations answer ${method} ${path}`)
      routes.set(pattern, byMethod.set(method, target))
    }
  }
  return [...routes].map(([pattern, byMethod]) => ({ pattern, byMethod })).sort((a, b) => compare(order(a.pattern), order(b.pattern)))
}

/** Sorts a parameter after every fixed segment at its place. */
const order = (pattern: string) => pattern.replace(/:\w+/g, '\uffff')
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
