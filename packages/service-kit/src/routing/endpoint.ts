import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request and what a Node server adds to it: the raw message and the raw answer. */
export interface Exchange {
  request: Request
  incoming: IncomingMessage | undefined
  outgoing: ServerResponse | undefined
  /** Path parameters, percent-decoded. */
  params: Record<string, string>
}

/** Answers requests of one method and path; errors too, and it writes the access log. Does not reject. */
export type Endpoint = (exchange: Exchange) => Promise<Response>

/** An endpoint and where it is. */
export interface PlacedEndpoint {
  method: string
  /** In the router's form: `/objs/:object_id`. */
  pattern: string
  endpoint: Endpoint
}

/** What one service answers. `serviceOf` makes one server of several. */
export interface MountedService {
  readonly endpoints: readonly PlacedEndpoint[]
  /** Answers a browser that opens a path which no endpoint of any service has. */
  readonly page?: { prefixes: readonly string[]; endpoint: Endpoint }
}
