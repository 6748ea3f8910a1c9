/** A piece of a filter with its place in the text. */
export interface Token {
  kind: 'open' | 'close' | 'operator' | 'text' | 'word'
  text: string
  at: number
  end: number
}

/** A filter that cannot be read. The message names what was expected, and `at` is its place in the text. */
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

/** A text in quotation marks is whole when its last mark is not the first, nor part of the text. */
export function isUnfinished({ kind, text }: Token): boolean {
  return kind === 'text' && !/^"(?:[^"\\]|\\.)*"$/u.test(text)
}
