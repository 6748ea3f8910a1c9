import { sumKnown } from '@heddle/trace-model'
import type { Turn } from './to-turn.ts'

/** Totals of the turns of a thread. */
export interface ThreadFacts {
  startedAt: string
  /** Milliseconds from the start of the first turn to the end of the last; null while that runs. */
  openMs: number | null
  /** Null for none. */
  tokens: number | null
  /** Cost of the turns with a known cost; null if none has one. */
  cost: number | null
  /** Turns that used tokens and have no known cost. */
  unpriced: number
}

/** Undefined without turns. */
export function factsOfThread(turns: readonly Pick<Turn, 'startedAt' | 'latencyMs' | 'tokens' | 'cost'>[]): ThreadFacts | undefined {
  const [first, last] = [turns[0], turns.at(-1)]
  if (first === undefined || last === undefined) return undefined
  return {
    startedAt: first.startedAt,
    openMs: last.latencyMs === null ? null : Date.parse(last.startedAt) + last.latencyMs - Date.parse(first.startedAt),
    tokens: sumKnown(turns.map(({ tokens }) => tokens)),
    cost: sumKnown(turns.map(({ cost }) => cost)),
    unpriced: turns.filter(({ tokens, cost }) => tokens !== null && cost === null).length,
  }
}

const longestTitle = 120

/** The first text of the conversation, on one line; undefined if there is none. */
export function titleOfThread(turns: readonly Pick<Turn, 'messages'>[]): string | undefined {
  for (const { messages } of turns) {
    for (const { role, parts } of messages) {
      if (role !== 'user' && role !== 'input') continue
      const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ')
      const line = text.replaceAll(/\s+/g, ' ').trim()
      if (line !== '') return line.slice(0, longestTitle)
    }
  }
  return undefined
}
