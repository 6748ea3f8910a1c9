import type { IncomingMessage, ServerResponse } from 'node:http'

/** The raw message and response of the Node server, or the address of a sender that came another way. */
export interface NodeBindings {
  incoming?: IncomingMessage
  outgoing?: ServerResponse
  address?: string
}

/** A service as one function, with or without a port. It answers everything and does not reject. */
export interface Service {
  fetch(request: Request, bindings?: NodeBindings): Promise<Response>
}
