import { tracing } from '@heddle/core-api'
import { type ClientOf, createClient } from '@heddle/core-api/client'

export type TracingClient = ClientOf<typeof tracing>

/** The client of the server that sent this page. The cookie of the session is the credential. */
export const client: TracingClient = createClient({ baseUrl: window.location.origin, contract: tracing, timeoutMs: 60_000 })
