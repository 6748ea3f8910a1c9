import type { ServerResponse } from 'node:http'
import { requestIdHeader } from '@heddle/core-api/internal'

/** The id that the response carries, for a line in the log; no field without a connection. */
export function requestIdField(outgoing: ServerResponse | undefined): { requestId?: string } {
  const requestId = outgoing?.getHeader(requestIdHeader)
  return typeof requestId === 'string' ? { requestId } : {}
}

/** Sends the id in one more header, if the operation has one. */
export function repeatRequestId(outgoing: ServerResponse | undefined, header: string | undefined): void {
  const { requestId } = requestIdField(outgoing)
  if (header !== undefined && requestId !== undefined) outgoing?.setHeader(header, requestId)
}
