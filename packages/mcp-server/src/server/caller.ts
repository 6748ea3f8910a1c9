import type { ToolChoice } from './server-options.ts'

/** For whom a request is served. */
export interface McpCaller {
  /** Sent to the services with every request of this caller. */
  apiKey?: string
  /** Narrows what the server offers; it cannot widen it. */
  choice?: ToolChoice
  /** What the caller asked for itself: narrows `choice` further. */
  wanted?: ToolChoice
  /** Identifies the caller, for limits and for what was asked of a person. */
  id?: string
}
