import type { BaseModel } from '../../../engine/engine.ts'
import type { ChatTokenizer } from '../../../tokenizer/chat-tokenizer.ts'
import type { TemplateMessage } from '../../../tokenizer/conversation.ts'
import { ChatTemplateError } from '../../../tokenizer/tokenizer-error.ts'
import type { PromptRequest } from './prompt-request.ts'
import type { ToolRequest } from './read-tools.ts'
import { refuse, refuseLongPrompt } from './refuse.ts'

/** The tokens of the conversation. @throws ApiError 400 when the template refuses it, or it leaves no token for a completion */
export function buildPrompt(
  request: PromptRequest,
  { tools, choice }: ToolRequest,
  base: Pick<BaseModel, 'id' | 'contextLength'>,
  tokenizer: ChatTokenizer,
): Int32Array {
  const text = renderPrompt(request, choice === 'none' ? [] : tools, tokenizer)
  const { contextLength, id } = base
  const leastTokens = Math.ceil(Buffer.byteLength(text) / tokenizer.longestTokenBytes)
  const tooLong = (tokens: string) => refuseLongPrompt({ field: 'messages', tokens, model: id, contextLength })
  if (leastTokens >= contextLength) throw tooLong(`at least ${leastTokens}`)
  const prompt = tokenizer.encode(text, { addSpecialTokens: request.add_special_tokens })
  if (prompt.length >= contextLength) throw tooLong(String(prompt.length))
  if (prompt.length === 0) throw refuse('messages', 'render to an empty prompt')
  return prompt
}

function renderPrompt(request: PromptRequest, tools: ToolRequest['tools'], { render }: ChatTokenizer): string {
  const effort = request.reasoning_effort === null ? {} : { reasoning_effort: request.reasoning_effort }
  try {
    return render({
      messages: (request.messages as TemplateMessage[]).map(withoutNulls),
      tools,
      addGenerationPrompt: request.add_generation_prompt,
      continueFinalMessage: request.continue_final_message,
      variables: { ...effort, ...request.chat_template_kwargs },
    })
  } catch (error) {
    if (!(error instanceof ChatTemplateError)) throw error
    if (request.messages.length === 0) throw refuse('messages', 'is empty; send at least one')
    throw refuse('messages', `cannot be used: ${error.message}`)
  }
}

/** Templates test whether a key is defined, so null values are omitted; null content is empty. */
function withoutNulls(message: TemplateMessage): TemplateMessage {
  return Object.fromEntries(Object.entries(message).filter(([key, value]) => value !== null || key === 'content')) as TemplateMessage
}
