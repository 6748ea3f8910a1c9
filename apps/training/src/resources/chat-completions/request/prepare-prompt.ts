import type { BaseModel, Constraint } from '../../../engine/engine.ts'
import type { ChatTokenizer } from '../../../tokenizer/chat-tokenizer.ts'
import { openedBy } from '../generation/reasoning-splitter.ts'
import { buildPrompt } from './build-prompt.ts'
import type { PromptRequest } from './prompt-request.ts'
import { readConstraint } from './read-constraint.ts'
import { readTools } from './read-tools.ts'

/** What the fields of a prompt come to. It can be cloned, so that a thread may make it. */
export interface PreparedPrompt {
  tokens: Int32Array
  constraint: Constraint | null
  /** Whether calls of tools are looked for in the answer. */
  mayCall: boolean
  /** Of the tag with which the prompt opened the reasoning; null where the answer itself does, if at all. */
  reasoningTag: string | null
}

/** The end of a prompt in which a tag may stand, spelled by bytes at worst. */
const tagTokens = 16

/** @throws ApiError 400 that names the field whose value cannot be served */
export function preparePrompt(
  request: PromptRequest,
  base: Pick<BaseModel, 'id' | 'contextLength'>,
  tokenizer: ChatTokenizer,
): PreparedPrompt {
  const tools = readTools(request)
  const constraint = readConstraint(request.response_format, tools, { toolCalls: tokenizer.toolCalls, model: base.id })
  const tokens = buildPrompt(request, tools, base, tokenizer)
  return {
    tokens,
    constraint: continuing(constraint, tokens, tokenizer),
    mayCall: tools.choice !== 'none',
    reasoningTag: openedBy(tokenizer.decode(tokens.slice(-tagTokens))),
  }
}

/** What the template writes before calls may be the end of the prompt already, such as reasoning that is switched off. */
function continuing(constraint: Constraint | null, tokens: Int32Array, tokenizer: Pick<ChatTokenizer, 'decode'>): Constraint | null {
  if (constraint?.kind !== 'tool-call' || constraint.format.preamble === '') return constraint
  const { format } = constraint
  const end = tokenizer.decode(tokens.slice(-Buffer.byteLength(format.preamble)))
  return end.endsWith(format.preamble) ? { ...constraint, format: { ...format, preamble: '' } } : constraint
}
