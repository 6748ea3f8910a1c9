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

/** A request without a matching endpoint. */
export interface UnservedRequest {
  method: string
  path: string
  headers: Headers
  /** Methods allowed for the path; empty if the path does not exist. */
  allowed: readonly string[]
  requestId?: string
}

/** Bodies of 404 and 405 responses for paths under `prefixes`, whose clients expect their own error format. */
export interface UnservedBodies {
  prefixes: readonly string[]
  body: (request: UnservedRequest) => Record<string, unknown>
}

/** The endpoints of one service. `serviceOf` combines several into one server. */
export interface MountedService {
  readonly endpoints: readonly PlacedEndpoint[]
  /** Below these prefixes several slashes count as one. Default: nowhere. */
  readonly looseSlashes?: readonly string[]
  /** Default: the standard error body. */
  readonly unserved?: UnservedBodies
  /** Answers a browser that opens a path without an endpoint in any service. */
  readonly page?: { prefixes: readonly string[]; endpoint: Endpoint }
}
