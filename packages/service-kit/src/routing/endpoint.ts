import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request, with the raw message and response of the Node server if there is one. */
export interface Exchange {
  request: Request
  incoming: IncomingMessage | undefined
  outgoing: ServerResponse | undefined
  /** Address of the other end of the connection; `''` without one. */
  address: string
  /** Path parameters, percent-decoded. */
  params: Record<string, string>
}

/** Answers requests of one method and path, with errors as responses, and writes the access log. Does not reject. */
export type Endpoint = (exchange: Exchange) => Promise<Response>

/** An endpoint with its method and path. */
export interface PlacedEndpoint {
  method: string
  /** In the router's form: `/objs/:object_id`. */
  pattern: string
  endpoint: Endpoint
}

/** A request that no endpoint takes. */
export interface UnservedRequest {
  method: string
  path: string
  headers: Headers
  /** Methods that the path has. Empty: there is no such path. */
  allowed: readonly string[]
  requestId?: string
}

/** The bodies of 404 and 405 below prefixes whose clients expect errors in a form of their own. */
export interface UnservedBodies {
  prefixes: readonly string[]
  body: (request: UnservedRequest) => Record<string, unknown>
}

/** The endpoints of one service. `serviceOf` combines several into one server. */
export interface MountedService {
  readonly endpoints: readonly PlacedEndpoint[]
  /** Below these prefixes several slashes count as one. Default: nowhere. */
  readonly looseSlashes?: readonly string[]
  /** Default: bodies as those of all other paths. */
  readonly unserved?: UnservedBodies
  /** Answers a browser that opens a path without an endpoint in any service. */
  readonly page?: { prefixes: readonly string[]; endpoint: Endpoint }
}
