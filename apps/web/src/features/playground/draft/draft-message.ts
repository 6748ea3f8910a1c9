/** A message as it is typed. */
export interface DraftMessage {
  role: Role
  /** Text; the JSON of its parts where `isParts`. */
  content: string
  isParts?: boolean
  /** JSON list of the tools that an assistant called. Empty: none. */
  toolCalls?: string
  /** The tool call that a message of a tool answers. */
  toolCallId?: string
}

export const roles = ['system', 'developer', 'user', 'assistant', 'tool'] as const
export type Role = (typeof roles)[number]
