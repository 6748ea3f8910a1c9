import { cachedTokens } from './cached-tokens.ts'
import { codingAgent } from './coding-agent.ts'
import { conventionsOfMessages } from './conventions-of-messages.ts'
import { factsOfOneSpan } from './facts-of-one-span.ts'
import { missingParent } from './missing-parent.ts'
import { repeatedUsage } from './repeated-usage.ts'
import type { TracedCase } from './traced-case.ts'

export { type SentTrace, sendCase } from './send-case.ts'
export { type ExpectedTrace, tokensOf, type TracedCase, usageOf } from './traced-case.ts'

/** All small cases that the repository has. What whole instrumentations send is in the recordings. */
export const tracedCases: readonly TracedCase[] = [
  ...repeatedUsage,
  ...cachedTokens,
  ...codingAgent,
  ...missingParent,
  ...factsOfOneSpan,
  ...conventionsOfMessages,
]
