import type { SampledToken } from '../../../engine/engine.ts'
import type { ChatTokenizer } from '../../../tokenizer/chat-tokenizer.ts'

interface TokenLogprob {
  /** `token_id:<id>`, or the text. */
  token: string
  logprob: number
  /** UTF-8 of the token, perhaps part of a character. */
  bytes: number[]
}

export interface LogprobEntry extends TokenLogprob {
  top_logprobs: TokenLogprob[]
}

/** JSON has no infinity; other servers write this for a negligible probability. */
const lowest = -9999

export function toLogprobEntry(
  { token, logProbability, top }: Pick<SampledToken, 'token' | 'logProbability' | 'top'>,
  tokenizer: ChatTokenizer,
  asTokenIds: boolean,
): LogprobEntry {
  const entry = (id: number, value: number): TokenLogprob => ({
    token: asTokenIds ? `token_id:${id}` : tokenizer.decode([id]),
    logprob: Math.max(value, lowest),
    bytes: [...tokenizer.bytesOf(id)],
  })
  return { ...entry(token, logProbability), top_logprobs: top.map((other) => entry(other.token, other.logProbability)) }
}
