import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request, with the raw message and response of the Node server where there is one. */
export interface Exchange {
  request: Request
  incoming: IncomingMessage | undefined
  outgoing: ServerResponse | undefined
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

/** What one service answers. `serviceOf` makes one server of several. */
export interface MountedService {
  readonly endpoints: readonly PlacedEndpoint[]
  /** Below these prefixes several slashes count as one. Default: nowhere. */
  readonly looseSlashes?: readonly string[]
  /** Answers a browser that opens a path without an endpoint in any service. */
  readonly page?: { prefixes: readonly string[]; endpoint: Endpoint }
}
