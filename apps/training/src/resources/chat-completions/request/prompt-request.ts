import type { ChatCompletionRequest } from '@heddle/core-api/types'

/** Fields whose cost grows with their size: conversation, tools, schema, and arguments of the template. */
export const promptFields = [
  'messages',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
  'chat_template_kwargs',
  'add_generation_prompt',
  'continue_final_message',
  'add_special_tokens',
] as const

export type PromptRequest = Pick<ChatCompletionRequest, (typeof promptFields)[number]>

/** A prompt that no chat template writes. */
export interface PlainPrompt {
  /** A text, or token ids. */
  content: string | readonly number[]
  /** Whether a text gets the special tokens of its beginning. */
  addSpecialTokens: boolean
}

/** What a prompt is made of: the fields of a chat, or a prompt as it is. */
export type PromptSource = PromptRequest | { plain: PlainPrompt }
