/**
 * How many first tokens the sequences of a group share, so that a row need hold them only once: their common beginning before anything was sampled,
 * without its last token, with which each of them then begins. Sampled tokens are never shared, since each sequence has its own advantage.
 */
export function sharedPromptLength(sequences: readonly { tokens: Int32Array; mask: Uint8Array }[]): number {
  const [first, ...others] = sequences
  if (!first) return 0
  let length = Math.min(...sequences.map(({ tokens, mask }) => firstSampled(mask) ?? tokens.length))
  for (const { tokens } of others) {
    let common = 0
    while (common < length && tokens[common] === first.tokens[common]) common++
    length = common
  }
  return Math.max(length - 1, 0)
}

function firstSampled(mask: Uint8Array): number | null {
  const at = mask.indexOf(1)
  return at === -1 ? null : at
}
