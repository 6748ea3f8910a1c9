import type { CallKind } from '@heddle/core-api'
import type { Kind } from '../../ui/badge.tsx'

const kinds: Record<CallKind, Kind> = {
  model: 'llm',
  tool: 'tool',
  agent: 'agent',
  retrieval: 'retrieval',
  evaluation: 'scorer',
  other: 'fn',
}

/** The icon of a kind of call. */
export const signOfKind = (kind: CallKind): Kind => kinds[kind]
