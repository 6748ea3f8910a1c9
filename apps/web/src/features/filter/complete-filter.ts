import { operators } from './call-condition.ts'
import { readTokens, type Token } from './read-tokens.ts'

/** The kinds of input expected at a position of a filter. */
export interface Completion {
  expects: 'field' | 'comparison' | 'value' | 'joint'
  /** Field of the condition, where a comparison or a value is expected. */
  path: string
  /** The typed part of it, from `start` to the position. */
  typed: string
  start: number
}

/** The input expected at the cursor. Undefined if the text before it is invalid. */
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
    if (expects === 'field' && after === 'comparison') path = pathOf(token)
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

/** A quoted field is written as a JSON string; an invalid one is not a field yet. */
function pathOf({ kind, text }: Token): string {
  if (kind !== 'text') return text
  try {
    return String(JSON.parse(text))
  } catch {
    return ''
  }
}

/** The input expected after a token; undefined if the token is not allowed. */
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

/** Suggestions for the next input: known values that contain the typed part, those that begin with it first. */
export function offersFor({ expects, typed }: Completion, known: { paths: readonly string[]; values: readonly string[] }): string[] {
  const all = { field: known.paths, comparison: operators, value: known.values, joint: ['and', 'or'] }[expects]
  const wanted = typed.replace(/^"/, '').toLowerCase()
  const place = (offer: string) => offer.replace(/^"/, '').toLowerCase().indexOf(wanted)
  return all
    .filter((offer) => place(offer) >= 0 && offer !== typed)
    .toSorted((a, b) => Math.sign(place(a)) - Math.sign(place(b)))
    .slice(0, maxOffered)
}

/** The text with the typed part replaced by a suggestion, and the new cursor. */
export function withOffer(text: string, cursor: number, { start }: Completion, offer: string): { text: string; cursor: number } {
  const before = `${text.slice(0, start)}${offer} `
  return { text: before + text.slice(cursor).trimStart(), cursor: before.length }
}
