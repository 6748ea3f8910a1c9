import { TokenizerError } from './tokenizer-error.ts'

interface AddedToken {
  content: string
  lstrip?: boolean
  rstrip?: boolean
}

export interface AddedTokens {
  /** For the library, which takes white space as JavaScript does, without the request to strip it. */
  addedTokens: object[]
  /** The text without the white space that tokens take in before or behind them. */
  trim(text: string): string
}

/** Added tokens of a `tokenizer.json`. @throws TokenizerError that names the file */
export function readAddedTokens(value: unknown, path: string): AddedTokens {
  if (!Array.isArray(value) || !value.every(isAddedToken))
    throw new TokenizerError(`"added_tokens" in ${path} is not a list of tokens with their texts`)
  return { addedTokens: value.map((token) => ({ ...token, lstrip: false, rstrip: false })), trim: createTrim(value) }
}

function isAddedToken(value: unknown): value is AddedToken {
  return typeof value === 'object' && value !== null && typeof (value as AddedToken).content === 'string'
}

function createTrim(tokens: readonly AddedToken[]): (text: string) => string {
  if (!tokens.some(({ lstrip, rstrip }) => lstrip === true || rstrip === true)) return (text) => text
  const byStart = new Map<string, AddedToken[]>()
  // If several begin at one position, the longest wins, even if it strips nothing.
  for (const token of tokens.toSorted((a, b) => b.content.length - a.content.length)) {
    const start = token.content.charAt(0)
    byStart.set(start, [...(byStart.get(start) ?? []), token])
  }
  return (text) => {
    let written = ''
    let plainFrom = 0
    for (let at = 0; at < text.length;) {
      const token = byStart.get(text.charAt(at))?.find(({ content }) => content !== '' && text.startsWith(content, at))
      if (token === undefined) {
        at += 1
        continue
      }
      const before = text.slice(plainFrom, at)
      written += (token.lstrip === true ? before.replace(spaceAtEnd, '') : before) + token.content
      at += token.content.length
      if (token.rstrip === true) at += spaceAtStart.exec(text.slice(at))?.[0].length ?? 0
      plainFrom = at
    }
    return written + text.slice(plainFrom)
  }
}

const spaceAtStart = /^\p{White_Space}+/u
const spaceAtEnd = /(?<!\p{White_Space})\p{White_Space}+$/u
