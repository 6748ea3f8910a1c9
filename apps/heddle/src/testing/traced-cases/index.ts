import { cachedTokens } from './cached-tokens.ts'
import { codingAgent } from './coding-agent.ts'
import { conventionsOfMessages } from './conventions-of-messages.ts'
import { factsOfOneSpan } from './facts-of-one-span.ts'
import { missingParent } from './missing-parent.ts'
import { repeatedUsage } from './repeated-usage.ts'
import type { TracedCase } from './traced-case.ts'

export { type SentTrace, sendCase } from './send-case.ts'
export { type ExpectedTrace, tokensOf, type TracedCase, usageOf } from './traced-case.ts'

const subjects: readonly (readonly TracedCase[])[] = [
  repeatedUsage,
  cachedTokens,
  codingAgent,
  missingParent,
  factsOfOneSpan,
  conventionsOfMessages,
]

/** All small cases that the repository has. What whole instrumentations send is in the recordings. */
export const tracedCases: readonly TracedCase[] = subjects.flat()

/** The first case of each subject. */
export const someTracedCases: readonly TracedCase[] = subjects.flatMap((cases) => cases.slice(0, 1))
