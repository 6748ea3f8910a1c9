import type { tracing } from '@heddle/core-api'
import { type ClientOf, createClient } from '@heddle/core-api/client'
import { tracingRoutes } from '@heddle/core-api/routes'
import { serverUrl } from './base-path.ts'

export type TracingClient = ClientOf<typeof tracing>

/** The client of the server that sent this page. The cookie of the session is the credential. */
export const client: TracingClient = createClient({ baseUrl: serverUrl(), routes: tracingRoutes, timeoutMs: 60_000 })
