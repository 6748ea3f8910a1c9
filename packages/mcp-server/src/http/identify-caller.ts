import type { McpCaller } from '../connection/caller.ts'

/** Who sends a request, or the response that refuses it. */
export type CheckKey = (request: Request) => Promise<McpCaller | Response>
