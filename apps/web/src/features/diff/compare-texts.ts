import { diffLines, diffWordsWithSpace } from 'diff'

/** Lines in a row that two texts share or that only one of them has. */
export interface TextPart {
  kind: 'same' | 'removed' | 'added'
  lines: string[]
  /** The same text in pieces, if lines were replaced: words that both have, and words that only one has. */
  words?: TextPiece[]
}

export interface TextPiece {
  text: string
  isChanged: boolean
}

/** Undefined where the comparison took longer than its limit. */
export type TextComparison = TextPart[] | undefined

export const compareLimitMs = 2_000

/** Longer lines that were replaced are not compared word by word. */
const maxWordCharacters = 50_000
/** Part of the remaining time limit, so that a text with many changes has at least its lines compared. */
const wordLimitMs = 500

/** Compares two texts line by line, and word by word where lines were replaced, from the older to the newer. */
export function compareTexts(before: string, after: string, limitMs = compareLimitMs): TextComparison {
  const compared = diffLines(withEnd(before), withEnd(after), { timeout: limitMs })
  const parts = compared?.map(({ added, removed, value }): TextPart => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    lines: value.replace(/\n$/, '').split('\n'),
  }))
  if (parts) compareWords(parts)
  return parts
}

function compareWords(parts: readonly TextPart[]): void {
  const endMs = performance.now() + wordLimitMs
  for (const [at, part] of parts.entries()) {
    const next = parts[at + 1]
    if (part.kind !== 'removed' || next?.kind !== 'added') continue
    const [old, now] = [part.lines.join('\n'), next.lines.join('\n')]
    const timeout = endMs - performance.now()
    if (timeout <= 0 || old.length + now.length > maxWordCharacters) continue
    const words = diffWordsWithSpace(old, now, { timeout })
    // If no word is in both, marks would be useless.
    if (!words?.some(({ added, removed, value }) => !added && !removed && value.trim() !== '')) continue
    part.words = words.flatMap(({ added, removed = false, value }) => (added ? [] : [{ text: value, isChanged: removed }]))
    next.words = words.flatMap(({ added = false, removed, value }) => (removed ? [] : [{ text: value, isChanged: added }]))
  }
}

const withEnd = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)
