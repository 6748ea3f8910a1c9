/**
 * Special tokens, whose ids follow the 256 bytes in this order. Headers of turns are one token each, because at a token a byte they would be half of a
 * short conversation; as text they are plain ChatML.
 */
export const specialTokens = [
  '<|endoftext|>',
  '<|im_start|>',
  '<|im_end|>',
  '<|im_start|>system\n',
  '<|im_start|>user\n',
  '<|im_start|>assistant\n',
  '<|im_start|>tool\n',
  '<tools>',
  '</tools>',
  '<tool_call>',
  '</tool_call>',
] as const

export type SpecialToken = (typeof specialTokens)[number]

/** Bytes, special tokens and reserved ones: every id that the model has a logit for decodes to something. */
export const vocabularySize = 512

export const byteCount = 256

export function specialTokenId(token: SpecialToken): number {
  return byteCount + specialTokens.indexOf(token)
}
