import type { PreparedPrompt, PrepareOptions } from './prepared-prompt.ts'
import type { PlainPrompt } from './prompt-request.ts'
import { refuse, refuseLongPrompt } from './refuse.ts'

/** @throws ApiError 400 for a prompt without tokens, with unknown ones, or too many */
export function preparePlainPrompt(plain: PlainPrompt, { base, tokenizer }: PrepareOptions): PreparedPrompt {
  const { id, contextLength } = base
  const tooLong = (tokens: string) => refuseLongPrompt({ field: 'prompt', tokens, model: id, contextLength })
  const leastTokens =
    typeof plain.content === 'string' ? Math.ceil(Buffer.byteLength(plain.content) / tokenizer.longestTokenBytes) : plain.content.length
  if (leastTokens >= contextLength) throw tooLong(`at least ${leastTokens}`)
  const tokens = toTokens(plain, tokenizer)
  if (tokens.length >= contextLength) throw tooLong(String(tokens.length))
  if (tokens.length === 0) throw refuse('prompt', 'has no tokens; give a text or token ids')
  return { tokens, constraint: null, mayCall: false, reasoningTag: null, isPlain: true }
}

function toTokens({ content, addSpecialTokens }: PlainPrompt, tokenizer: PrepareOptions['tokenizer']): Int32Array {
  if (typeof content === 'string') return tokenizer.encode(content, { addSpecialTokens })
  const unknown = content.find((token) => token < 0 || token >= tokenizer.vocabularySize)
  if (unknown !== undefined) throw refuse('prompt', `has the token ${unknown}; ids are 0 to ${tokenizer.vocabularySize - 1}`)
  return Int32Array.from(content)
}
