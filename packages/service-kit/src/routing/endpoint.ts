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

/** The endpoints of one service. `serviceOf` combines several into one server. */
export interface MountedService {
  readonly endpoints: readonly PlacedEndpoint[]
  /** Below these prefixes several slashes count as one. Default: nowhere. */
  readonly looseSlashes?: readonly string[]
  /** Answers a browser that opens a path without an endpoint in any service. */
  readonly page?: { prefixes: readonly string[]; endpoint: Endpoint }
}
