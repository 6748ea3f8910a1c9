import { stringifyJson } from '@heddle/json'
import type { BaseModel } from '../engine/engine.ts'
import { type PreparedPrompt, preparePrompt } from '../resources/chat-completions/request/prepare-prompt.ts'
import { promptFields, type PromptRequest } from '../resources/chat-completions/request/prompt-request.ts'
import type { Tokenizers } from '../tokenizer/tokenizers.ts'
import { createPromptPool, type PromptPoolOptions, type PromptWork } from './prompt-pool.ts'

/** Makes the prompts of chats: long ones in threads, so that no request waits for the prompt of another. */
export interface PromptPreparer {
  /** @throws ApiError as `PromptPool` and `preparePrompt` */
  prepare(request: PromptRequest, base: BaseModel, work: PromptWork): Promise<PreparedPrompt>
  close(): Promise<void>
}

export interface PromptPreparerOptions extends PromptPoolOptions {
  /** JSON of the fields of fewer characters is prepared at once: a thread would take longer. */
  minCharacters?: number
}

export function createPromptPreparer(
  tokenizers: Tokenizers,
  { minCharacters = 16_384, ...options }: PromptPreparerOptions = {},
): PromptPreparer {
  const pool = createPromptPool(options)
  return {
    async prepare(request, { id, contextLength, folder }, work) {
      const text = stringifyJson(Object.fromEntries(promptFields.map((field) => [field, request[field]])))
      const base = { id, contextLength, folder }
      if (text.length >= minCharacters) return await pool.prepare({ text, base }, work)
      return preparePrompt(JSON.parse(text) as PromptRequest, base, await tokenizers.of(folder))
    },
    close: () => pool.close(),
  }
}
