import type { Constraint } from '../../../constrained/constraint.ts'
import type { ChatTokenizer } from '../../../tokenizer/chat-tokenizer.ts'
import { openedBy } from '../reasoning-splitter.ts'
import { buildPrompt } from './build-prompt.ts'
import { preparePlainPrompt } from './prepare-plain-prompt.ts'
import type { PreparedPrompt, PrepareOptions } from './prepared-prompt.ts'
import type { PromptRequest, PromptSource } from './prompt-request.ts'
import { readConstraint } from './read-constraint.ts'
import { readTools } from './read-tools.ts'

/** Tokens at the end of a prompt that may contain a tag, spelled by bytes at worst. */
const tagTokens = 16

/** @throws ApiError 400 that names the field whose value cannot be served */
export function preparePrompt(source: PromptSource, options: PrepareOptions): PreparedPrompt {
  return 'plain' in source ? preparePlainPrompt(source.plain, options) : prepareChat(source, options)
}

function prepareChat(request: PromptRequest, { base, tokenizer, maxSchemaWork = Infinity }: PrepareOptions): PreparedPrompt {
  const tools = readTools(request)
  const constraint = readConstraint(request.response_format, tools, { tokenizer, model: base.id, maxSchemaWork })
  const tokens = buildPrompt(request, tools, base, tokenizer)
  return {
    tokens,
    constraint: continuing(constraint, tokens, tokenizer),
    mayCall: tools.choice !== 'none',
    reasoningTag: openedBy(tokenizer.decode(tokens.slice(-tagTokens))),
    isPlain: false,
  }
}

/** The prompt may already end with text that the template writes before calls, such as disabled reasoning. */
function continuing(constraint: Constraint | null, tokens: Int32Array, tokenizer: Pick<ChatTokenizer, 'decode'>): Constraint | null {
  if (constraint?.kind !== 'tool-call' || constraint.format.preamble === '') return constraint
  const { format } = constraint
  const end = tokenizer.decode(tokens.slice(-Buffer.byteLength(format.preamble)))
  return end.endsWith(format.preamble) ? { ...constraint, format: { ...format, preamble: '' } } : constraint
}
