import type { Operation, Resource } from '../operation.ts'

/** Everything that a client needs to send a request of an operation: the names in each part of it, no schemas. */
export interface Route {
  readonly method: Operation['method']
  /** Path with parameters in braces, for example `/objs/{object_id}/aliases`. */
  readonly path: string
  /** Names of the path parameters. */
  readonly params?: readonly string[]
  /** Names of the query parameters. */
  readonly query?: readonly string[]
  /** Request headers that the operation reads, by lower-case name. */
  readonly headers?: readonly string[]
  /** All input that is in no other part of the request is its JSON body. */
  readonly body?: true
  /** Text fields of a `multipart/form-data` body. */
  readonly multipart?: readonly string[]
  /** Media types of a body of bytes; the first is the default. */
  readonly bytes?: readonly string[]
  /** Absent for a JSON response. */
  readonly output?: 'bytes'
  readonly stream?: 'jsonl'
  readonly repeat?: Operation['repeat']
}

/** The routes of a contract. They carry its types, and load nothing. */
export type Routes<Contract> = {
  readonly [R in keyof Contract]: { readonly [K in keyof Contract[R]]: Route }
} & {
  /** Marks the type of the contract; never set. */
  readonly [contractOfRoutes]?: Contract
}
declare const contractOfRoutes: unique symbol

/** The route of an operation. */
export function toRoute(operation: Operation): Route {
  const { method, path, bytes, stream, repeat } = operation
  const names = { params: operation.params, query: operation.query, headers: operation.headers, multipart: operation.multipart }
  const listed = Object.entries(names).flatMap(([part, schema]) => (schema ? [[part, Object.keys(schema.shape)] as const] : []))
  return {
    method,
    path,
    ...Object.fromEntries(listed),
    ...(operation.body ? { body: true } : {}),
    ...(bytes ? { bytes } : {}),
    ...(operation.output === 'bytes' ? { output: 'bytes' } : {}),
    ...(stream ? { stream } : {}),
    ...(repeat ? { repeat } : {}),
  }
}

/** The routes of a contract. */
export function toRoutes<const Contract extends Readonly<Record<string, Resource>>>(contract: Contract): Routes<Contract> {
  const resources = Object.entries(contract).map(([name, resource]) => [
    name,
    Object.fromEntries(Object.entries(resource).map(([key, operation]) => [key, toRoute(operation)])),
  ])
  return Object.fromEntries(resources) as Routes<Contract>
}
