import { resolveSftConfig, type SftConfig } from './sft-config.ts'

/** Most tokens of a config's gradient step that are sent to the engine at a time, if its longest sequence has so many. */
export function batchTokens(config: SftConfig, { longest, tokensAtATime }: { longest: number; tokensAtATime: number }): number {
  const { packedLength, batchSize, preference } = resolveSftConfig(config)
  // Both sequences of a pair go together.
  const ofExample = preference ? 2 * longest : longest
  return Math.max(ofExample, Math.min(tokensAtATime, packedLength ?? batchSize * ofExample))
}
