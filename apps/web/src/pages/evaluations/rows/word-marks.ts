import { diffWordsWithSpace } from 'diff'

/** A part of a text, and whether it is new against another text. */
export interface WordPiece {
  text: string
  isNew: boolean
}

/** Words that are changed, beyond which nothing is marked: the time grows with their square. */
const maxChanges = 400

/** The words of a text that another one does not have. Only the first characters are compared, and the rest is not marked. */
export function markWords(before: string, after: string, characters: number): WordPiece[] {
  const [start, rest] = [after.slice(0, characters), after.slice(characters)]
  const compared = diffWordsWithSpace(before.slice(0, characters), start, { maxEditLength: maxChanges })
  const pieces = compared?.flatMap(({ added: isNew = false, removed, value: text }) => (removed ? [] : [{ text, isNew }])) ?? [
    { text: start, isNew: false },
  ]
  return rest === '' ? pieces : [...pieces, { text: rest, isNew: false }]
}
