import type { Constraint } from '../../../constrained/constraint.ts'
import type { BaseModel } from '../../../engine/engine.ts'
import type { ChatTokenizer } from '../../../tokenizer/chat-tokenizer.ts'
import { openedBy } from '../generation/reasoning-splitter.ts'
import { buildPrompt } from './build-prompt.ts'
import type { PromptRequest } from './prompt-request.ts'
import { readConstraint } from './read-constraint.ts'
import { readTools } from './read-tools.ts'

/** The prepared fields of a prompt. It can be cloned, so that a thread may create it. */
export interface PreparedPrompt {
  tokens: Int32Array
  constraint: Constraint | null
  /** Whether tool calls are parsed from the answer. */
  mayCall: boolean
  /** Name of the tag with which the prompt opened the reasoning; null if the answer itself opens it, if at all. */
  reasoningTag: string | null
}

/** Tokens at the end of a prompt that may contain a tag, spelled by bytes at worst. */
const tagTokens = 16

export interface PrepareOptions {
  base: Pick<BaseModel, 'id' | 'contextLength'>
  tokenizer: ChatTokenizer
  /** Steps on schemas beyond which `SchemaWorkError` is thrown, so that a thread can take over. Default: no bound. */
  maxSchemaWork?: number
}

/** @throws ApiError 400 that names the field whose value cannot be served */
export function preparePrompt(request: PromptRequest, { base, tokenizer, maxSchemaWork = Infinity }: PrepareOptions): PreparedPrompt {
  const tools = readTools(request)
  const constraint = readConstraint(request.response_format, tools, { tokenizer, model: base.id, maxSchemaWork })
  const tokens = buildPrompt(request, tools, base, tokenizer)
  return {
    tokens,
    constraint: continuing(constraint, tokens, tokenizer),
    mayCall: tools.choice !== 'none',
    reasoningTag: openedBy(tokenizer.decode(tokens.slice(-tagTokens))),
  }
}

/** The prompt may already end with text that the template writes before calls, such as disabled reasoning. */
function continuing(constraint: Constraint | null, tokens: Int32Array, tokenizer: Pick<ChatTokenizer, 'decode'>): Constraint | null {
  if (constraint?.kind !== 'tool-call' || constraint.format.preamble === '') return constraint
  const { format } = constraint
  const end = tokenizer.decode(tokens.slice(-Buffer.byteLength(format.preamble)))
  return end.endsWith(format.preamble) ? { ...constraint, format: { ...format, preamble: '' } } : constraint
}
