import type { TrainedModel } from '../objective/settings/resolve-rl-settings.ts'
import type { SequenceTokenizer } from '../sequences/sequence-tokenizer.ts'

/** Texts to learn that the model cannot reproduce exactly. */
export interface ChangedTexts {
  texts: number
  /** Characters without a token, in order of occurrence; at most 20. */
  characters: Set<string>
}

const maxCharacters = 20

export const newChangedTexts = (): ChangedTexts => ({ texts: 0, characters: new Set() })

/** Counts the texts whose tokens decode to another text, because the vocabulary has no token for a character. */
export function noteChanged(
  changed: ChangedTexts,
  texts: readonly string[],
  tokenizer: Pick<SequenceTokenizer, 'encode' | 'decode'>,
): void {
  const says = (text: string) => tokenizer.decode(tokenizer.encode(text)).trim() === text.trim()
  for (const text of texts) {
    if (says(text)) continue
    changed.texts++
    if (changed.characters.size >= maxCharacters) continue
    for (const character of new Set(text)) {
      if (changed.characters.size < maxCharacters && character.trim() !== '' && !says(character)) changed.characters.add(character)
    }
  }
}

/** Null if there are none. */
export function changedNote({ texts, characters }: ChangedTexts, { id }: Pick<TrainedModel, 'id'>): string | null {
  if (texts === 0) return null
  const which = characters.size === 0 ? '' : `, as for ${[...characters].map((character) => JSON.stringify(character)).join(' ')}`
  return `${texts} texts to learn are changed by the tokenizer of ${id}, which has no tokens for all of their characters${which}: it cannot learn to say them`
}
