import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** Header of a request's id, in requests of a proxy and in every response. */
export const requestIdHeader = 'x-request-id'

const token = /^[A-Za-z0-9._-]{1,128}$/
/** Ids are logged, and keys are not. */
const keyShape = /heddle[a-z0-9]{45}/

/**
 * The id of a request: that which a proxy gave it, else a new UUID. One that is longer than 128 characters, has other characters than letters, digits
 * and `._-`, or holds a key is replaced.
 */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers[requestIdHeader]
  return typeof given === 'string' && token.test(given) && !keyShape.test(given) ? given : randomUUID()
}

/** The id that the response carries, for a line in the log; no field without a connection. */
export function requestIdField(outgoing: ServerResponse | undefined): { requestId?: string } {
  const requestId = outgoing?.getHeader(requestIdHeader)
  return typeof requestId === 'string' ? { requestId } : {}
}
