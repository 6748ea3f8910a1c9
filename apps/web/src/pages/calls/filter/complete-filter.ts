import { operators } from '../call-condition.ts'
import { readTokens, type Token } from './read-tokens.ts'

/** What may stand at a place of a filter. */
export interface Completion {
  expects: 'field' | 'comparison' | 'value' | 'joint'
  /** Field of the condition, where a comparison or a value is expected. */
  path: string
  /** What is typed of it, from `start` to the place. */
  typed: string
  start: number
}

/** What is expected where the cursor is. Undefined in a text that cannot be read up to there. */
export function completionAt(text: string, cursor: number): Completion | undefined {
  const tokens = tokensBefore(text.slice(0, cursor))
  if (!tokens) return undefined
  const last = tokens.at(-1)
  const isTyping = last !== undefined && last.end === cursor && (last.kind === 'word' || last.kind === 'text' || last.kind === 'operator')
  const typed = isTyping ? last.text : ''
  let expects: Completion['expects'] = 'field'
  let path = ''
  for (const token of isTyping ? tokens.slice(0, -1) : tokens) {
    const after = next(expects, token)
    if (!after) return undefined
    if (expects === 'field' && after === 'comparison') path = token.kind === 'text' ? token.text.slice(1, -1) : token.text
    expects = after
  }
  return { expects, path, typed, start: cursor - typed.length }
}

function tokensBefore(text: string): Token[] | undefined {
  try {
    return readTokens(text)
  } catch {
    return undefined
  }
}

/** What is expected after a piece; undefined for one that may not stand there. */
function next(expects: Completion['expects'], { kind, text }: Token): Completion['expects'] | undefined {
  const word = text.toLowerCase()
  switch (expects) {
    case 'field':
      if (kind === 'open' || word === 'not') return 'field'
      return kind === 'word' || kind === 'text' ? 'comparison' : undefined
    case 'comparison':
      return operators.some((known) => known === word) ? 'value' : undefined
    case 'value':
      return kind === 'word' || kind === 'text' ? 'joint' : undefined
    case 'joint':
      if (kind === 'close') return 'joint'
      return word === 'and' || word === 'or' ? 'field' : undefined
  }
}

export const maxOffered = 12

/** What may be typed next: of what is known, the part that holds what is typed already, those that begin with it first. */
export function offersFor({ expects, typed }: Completion, known: { paths: readonly string[]; values: readonly string[] }): string[] {
  const all = { field: known.paths, comparison: operators, value: known.values, joint: ['and', 'or'] }[expects]
  const wanted = typed.replace(/^"/, '').toLowerCase()
  const place = (offer: string) => offer.replace(/^"/, '').toLowerCase().indexOf(wanted)
  return all
    .filter((offer) => place(offer) >= 0 && offer !== typed)
    .toSorted((a, b) => Math.sign(place(a)) - Math.sign(place(b)))
    .slice(0, maxOffered)
}

/** The text with an offer in place of what was typed of it, and where the cursor is then. */
export function withOffer(text: string, cursor: number, { start }: Completion, offer: string): { text: string; cursor: number } {
  const before = `${text.slice(0, start)}${offer} `
  return { text: before + text.slice(cursor).trimStart(), cursor: before.length }
}
