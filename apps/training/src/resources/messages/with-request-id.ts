import { requestIdField, type MountedService } from '@heddle/service-kit'

type PlacedEndpoint = MountedService['endpoints'][number]

/** Sends the id of the request in the header in which clients of Anthropic look for it, too. */
export function withRequestId(placed: PlacedEndpoint): PlacedEndpoint {
  return {
    ...placed,
    async endpoint(exchange) {
      const response = await placed.endpoint(exchange)
      const { requestId } = requestIdField(exchange.outgoing)
      if (requestId !== undefined) response.headers.set('request-id', requestId)
      return response
    },
  }
}
