import { parseJson, stringifyJson } from '@heddle/json'
import { SchemaWorkError } from '../../../constrained/grammar/compiled-size.ts'
import type { BaseModel } from '../../../engine/engine.ts'
import type { PreparedPrompt } from '../request/prepared-prompt.ts'
import { promptFields, type PromptSource } from '../request/prompt-request.ts'
import type { Tokenizers } from '../../../tokenizer/tokenizers.ts'
import { createPromptPool, type PromptPoolOptions, type PromptWork } from './prompt-pool.ts'
import { unlimited } from './prompt-task.ts'

/** Makes the prompts of chats: long ones in threads, so that no request waits for the prompt of another. */
export interface PromptPreparer {
  /** @throws ApiError as `PromptPool` and `preparePrompt` */
  prepare(source: PromptSource, base: BaseModel, work: PromptWork): Promise<PreparedPrompt>
  close(): Promise<void>
}

export interface PromptPreparerOptions extends PromptPoolOptions {
  /** Fields with less JSON than this are prepared without a thread, which would take longer. */
  minCharacters?: number
  /** Most steps on schemas without a thread; larger ones are compiled in a thread. */
  maxSchemaWork?: number
}

export function createPromptPreparer(
  tokenizers: Tokenizers,
  { minCharacters = 16_384, maxSchemaWork = 50_000, ...options }: PromptPreparerOptions = {},
): PromptPreparer {
  const pool = createPromptPool(options)
  return {
    async prepare(source, { id, contextLength, folder }, work) {
      const fields = 'plain' in source ? source : Object.fromEntries(promptFields.map((field) => [field, source[field]]))
      const text = stringifyJson(fields)
      const base = { id, contextLength, folder }
      if (text.length >= minCharacters) return await pool.prepare({ text, base }, work)
      // Schemas take 200 kB of code, which a server that samples nothing does not load.
      const [tokenizer, { preparePrompt }] = await Promise.all([tokenizers.of(folder), import('../request/prepare-prompt.ts')])
      try {
        return preparePrompt(parseJson(text, unlimited) as PromptSource, { base, tokenizer, maxSchemaWork })
      } catch (error) {
        if (!(error instanceof SchemaWorkError)) throw error
        return await pool.prepare({ text, base }, work)
      }
    },
    close: () => pool.close(),
  }
}
