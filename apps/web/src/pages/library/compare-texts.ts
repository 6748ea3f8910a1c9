import { diffLines } from 'diff'

/** Lines in a row that two texts share or that only one of them has. */
export interface TextPart {
  kind: 'same' | 'removed' | 'added'
  lines: string[]
}

/** Undefined where the comparison took longer than its limit. */
export type TextComparison = TextPart[] | undefined

export const compareLimitMs = 2_000

/** Compares two texts line by line, from the older to the newer. */
export function compareTexts(before: string, after: string, limitMs = compareLimitMs): TextComparison {
  const parts = diffLines(withEnd(before), withEnd(after), { timeout: limitMs })
  return parts?.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    lines: value.replace(/\n$/, '').split('\n'),
  }))
}

const withEnd = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** A value as lines that can be compared: keys in the order in which they are stored. */
export const toLines = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''))
