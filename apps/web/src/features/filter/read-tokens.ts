/** A token of a filter with its position in the text. */
export interface Token {
  kind: 'open' | 'close' | 'operator' | 'text' | 'word'
  text: string
  at: number
  end: number
}

/** An invalid filter. The message names the expected input, and `at` is its position in the text. */
export class FilterProblem extends RangeError {
  override readonly name = 'FilterProblem'
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

const pieces = /(\()|(\))|(>=|<=|!=|=|>|<)|("(?:[^"\\]|\\.)*"?)|([^\s()=!<>"]+)|(\S)/gu
const kinds = ['open', 'close', 'operator', 'text', 'word'] as const

/** @throws FilterProblem for a character that begins no piece */
export function readTokens(text: string): Token[] {
  return [...text.matchAll(pieces)].map((match) => {
    const at = match.index
    const kind = kinds.find((_, group) => match[group + 1] !== undefined)
    if (kind === undefined) throw new FilterProblem(`${match[0]} means nothing here`, at)
    return { kind, text: match[0], at, end: at + match[0].length }
  })
}

/** A quoted text is complete if it ends with a quotation mark that is neither its first one nor escaped. */
export function isUnfinished({ kind, text }: Token): boolean {
  return kind === 'text' && !/^"(?:[^"\\]|\\.)*"$/u.test(text)
}
