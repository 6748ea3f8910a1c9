/** A chat message as templates read it; they may read further keys. Content in parts must be text alone. */
export interface TemplateMessage {
  role: string
  content?: string | readonly { type: string; text?: string }[] | null
  [key: string]: unknown
}

export interface Conversation {
  messages: readonly TemplateMessage[]
  /** In the shape `{type: "function", function: {name, description, parameters}}`. */
  tools?: readonly unknown[] | null
  /** Ends the text with the opening of an assistant's turn. Default false. */
  addGenerationPrompt?: boolean
  /** Ends the text inside the last message, so that a completion continues it. Default false. */
  continueFinalMessage?: boolean
  /** Further variables of the template (`chat_template_kwargs`); what it does not know has no effect. */
  variables?: Readonly<Record<string, unknown>>
}

/** @throws ChatTemplateError when the template refuses the conversation, or needs too much work for it */
export type RenderConversation = (conversation: Conversation) => string
