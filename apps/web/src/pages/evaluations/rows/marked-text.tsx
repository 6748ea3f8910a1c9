import { useMemo } from 'react'
import { markWords } from './word-marks.ts'

/** A text in which words that the baseline lacks are marked, by a tint and by a line for users who cannot see colors. */
export function MarkedText({ before, after, characters }: { before: string; after: string; characters: number }) {
  const pieces = useMemo(() => markWords(before, after, characters), [before, after, characters])
  return pieces.map(({ text, isNew }, at) =>
    // Pieces keep their order, so the index is a stable key.
    isNew && text.trim() !== '' ? (
      <ins key={String(at)} className="rounded-xs bg-accent-soft text-accent-text decoration-accent-line">
        {text}
      </ins>
    ) : (
      <span key={String(at)}>{text}</span>
    ),
  )
}
