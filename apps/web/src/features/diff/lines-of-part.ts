import type { DiffLine } from '../../ui/diff.tsx'
import type { TextPart, TextPiece } from './compare-texts.ts'

const kinds = { same: 'same', removed: 'remove', added: 'add' } as const

/** The lines of a part of a comparison, with the words that changed in each. */
export function linesOfPart({ kind, lines, words }: TextPart): DiffLine[] {
  const texts = words ? linesOfPieces(words) : lines.map((line) => (line === '' ? [] : [line]))
  return texts.map((parts) => ({ kind: kinds[kind], parts }))
}

/** A piece may begin in one line and end in another. */
function linesOfPieces(pieces: readonly TextPiece[]): DiffLine['parts'][] {
  const lines: (string | { mark: string })[][] = [[]]
  for (const { text, isChanged } of pieces) {
    for (const [at, line] of text.split('\n').entries()) {
      if (at > 0) lines.push([])
      if (line !== '') lines.at(-1)?.push(isChanged ? { mark: line } : line)
    }
  }
  return lines
}

/** Numbers of the first line of each part in the text before and in the text after. */
export function firstLinesOf(parts: readonly TextPart[]): { before: number; after: number }[] {
  let [before, after] = [1, 1]
  return parts.map(({ kind, lines }) => {
    const first = { before, after }
    if (kind !== 'added') before += lines.length
    if (kind !== 'removed') after += lines.length
    return first
  })
}
