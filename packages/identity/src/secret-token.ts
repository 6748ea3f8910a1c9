import { createHash, randomBytes } from 'node:crypto'

/** Tokens of one kind: a prefix that identifies it, and 32 random bytes. */
export interface TokenKind {
  create(): string
  /** True for a text of the form of these tokens, which no generated API key has. */
  matches(text: string): boolean
}

export function tokenKind(prefix: string): TokenKind {
  const shape = /^[A-Za-z0-9_-]{43}$/
  return {
    create: () => `${prefix}_${randomBytes(32).toString('base64url')}`,
    matches: (text) => text.startsWith(`${prefix}_`) && shape.test(text.slice(prefix.length + 1)),
  }
}

/** SHA-256 in hex: all that is stored of a token. Tokens are random, so a slow hash would add nothing. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex')
}
