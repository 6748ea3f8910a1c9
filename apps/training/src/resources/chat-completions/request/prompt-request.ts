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
