import type { ServerResponse } from 'node:http'
import { requestIdHeader } from '@heddle/core-api/internal'

/** The id that the response carries, for a line in the log; no field without a connection. */
export function requestIdField(outgoing: ServerResponse | undefined): { requestId?: string } {
  const requestId = outgoing?.getHeader(requestIdHeader)
  return typeof requestId === 'string' ? { requestId } : {}
}
