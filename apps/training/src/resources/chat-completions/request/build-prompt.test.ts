import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { loadTokenizer } from '../../../tokenizer/load-tokenizer.ts'
import { buildPrompt } from './build-prompt.ts'
import type { PromptRequest } from './prompt-request.ts'
import type { ToolRequest } from './read-tools.ts'

const folder = fileURLToPath(new URL('../../../../base-models/heddle-nano', import.meta.url))

const noTools: ToolRequest = { tools: [], choice: 'auto', schemas: [], parallel: true }

test.each([
  [[], 'messages is empty; send at least one'],
  [[{ role: 'user', content: [{ type: 'image_url' }] }], /^messages cannot be used: /],
])('the messages %j are refused in words of the request', async (messages, reason) => {
  const tokenizer = await loadTokenizer(folder)
  const request = { messages, reasoning_effort: null, add_generation_prompt: true, continue_final_message: false }
  const base = { id: 'heddle-nano', contextLength: 256 }
  expect(() => buildPrompt(request as Partial<PromptRequest> as PromptRequest, noTools, base, tokenizer)).toThrow(reason)
})
