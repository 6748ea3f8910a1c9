import type { Conversation } from './conversation.ts'
import type { SpecialTokens } from './special-tokens.ts'
import type { TemplateCalls } from './tool-call-format.ts'

export interface EncodeOptions {
  /** Adds the tokenizer's special tokens around a text, such as a token for its beginning. Chat templates write these themselves. Default false. */
  addSpecialTokens?: boolean
}

/** The tokens and the chat template of a model. Without state: one serves any number of requests. */
export interface ChatTokenizer {
  /** One more than the largest id of a token. A model may have more logits; those have no token. */
  readonly vocabularySize: number
  readonly special: SpecialTokens
  /** The longest token in bytes: n tokens are never more text than n times this. */
  readonly longestTokenBytes: number
  /** Names of special tokens in the text become these tokens. */
  encode(text: string, options?: EncodeOptions): Int32Array
  /** How the template writes calls of tools; null when it writes none. */
  readonly toolCalls: TemplateCalls | null
  /** What the template does instead, such as `writes no calls`; null if it writes them. */
  readonly whyNoCalls: string | null
  /** UTF-8 of the tokens together, U+FFFD where it is broken. Special tokens by their names, unless they are to be skipped. */
  decode(tokens: Iterable<number>, options?: { skipSpecial?: boolean }): string
  /** UTF-8 of one token, perhaps part of a character. For a special token, its name; empty for an id without a token. */
  bytesOf(token: number): Uint8Array
  /** The id of the token with exactly this text; null if there is none. */
  idOf(text: string): number | null
  /** @throws ChatTemplateError when the template refuses the conversation, or needs too much work for it */
  render(conversation: Conversation): string
}
