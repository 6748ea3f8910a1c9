import type { ToolChoice } from './server-options.ts'

/** The caller of a request. */
export interface McpCaller {
  /** Sent to the services with every request of this caller. */
  apiKey?: string
  /** Narrows what the server offers; it cannot widen it. */
  choice?: ToolChoice
  /** The caller's own selection: narrows `choice` further. */
  wanted?: ToolChoice
  /** Identifies the caller, for limits and for questions to the user. */
  id?: string
  /** Seals this caller's cursors and questions instead of the key of the options. At least 32 bytes. */
  sealKey?: Uint8Array
}
