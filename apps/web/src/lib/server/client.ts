import type { tracing } from '@heddle/core-api'
import { type ClientOf, createClient } from '@heddle/core-api/client'
import { tracingRoutes } from '@heddle/core-api/routes'
import { parseExactJson, stringifyJson } from '@heddle/json/exact'
import { serverUrl } from './base-path.ts'

export type TracingClient = ClientOf<typeof tracing>

/** The client of the server that sent this page. The cookie of the session is the credential. */
export const client: TracingClient = createClient({
  baseUrl: serverUrl(),
  routes: tracingRoutes,
  timeoutMs: 60_000,
  json: { parse: JSON.parse, stringify: stringifyJson },
})

/**
 * The same client for user values that are shown in full, edited or stored again: a number that JavaScript would write differently is a `JsonNumber`,
 * which is sent unchanged.
 */
export const exactClient: TracingClient = createClient({
  baseUrl: serverUrl(),
  routes: tracingRoutes,
  timeoutMs: 60_000,
  json: { parse: parseExactJson, stringify: stringifyJson },
})
