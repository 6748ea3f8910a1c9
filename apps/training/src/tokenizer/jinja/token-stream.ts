import type { Token } from './tokenize.ts'

/** Levels of tags and expressions within each other. */
const maxLevels = 200

/** Tokens of a template, read one after the other. Methods that begin with `expect` throw a SyntaxError where something else follows. */
export class TokenStream {
  readonly #tokens: readonly Token[]
  #at = 0
  #levels = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  get current(): Token | undefined {
    return this.#tokens[this.#at]
  }

  /** Parses a nested part. @throws SyntaxError if the nesting is too deep */
  nested<T>(read: () => T): T {
    this.#levels += 1
    if (this.#levels > maxLevels) throw new SyntaxError(`tags and expressions go deeper than ${maxLevels} levels`)
    const result = read()
    this.#levels -= 1
    return result
  }

  describe(): string {
    const token = this.current
    return token === undefined ? 'end of the template' : JSON.stringify(token.text)
  }

  next(): Token {
    const token = this.current
    if (token === undefined) throw new SyntaxError('unexpected end of the template')
    this.#at += 1
    return token
  }

  takeText(): string | null {
    const token = this.current
    if (token?.kind !== 'text') return null
    this.#at += 1
    return token.text
  }

  is(operator: string): boolean {
    return this.#isAt(0, 'operator', operator)
  }

  isWord(word: string, ahead = 0): boolean {
    return this.#isAt(ahead, 'name', word)
  }

  isOperatorAhead(operator: string): boolean {
    return this.#isAt(1, 'operator', operator)
  }

  isEnd(text: '}}' | '%}'): boolean {
    return this.#isAt(0, 'end', text)
  }

  isAnyEnd(): boolean {
    return this.current?.kind === 'end'
  }

  /** Whether a tag of this name follows. */
  isTag(name: string): boolean {
    return this.#isAt(0, 'begin', '{%') && this.#isAt(1, 'name', name)
  }

  take(operator: string): boolean {
    return this.#takeIf(this.is(operator), 1)
  }

  takeWord(word: string): boolean {
    return this.#takeIf(this.isWord(word), 1)
  }

  takeBegin(text: '{{' | '{%'): boolean {
    return this.#takeIf(this.#isAt(0, 'begin', text), 1)
  }

  takeTagIf(name: string): boolean {
    return this.#takeIf(this.isTag(name), 2)
  }

  takeTag(name: string): void {
    if (!this.takeTagIf(name)) this.#fail(`{% ${name} %}`)
  }

  expect(operator: string): void {
    if (!this.take(operator)) this.#fail(`'${operator}'`)
  }

  expectWord(word: string): void {
    if (!this.takeWord(word)) this.#fail(`'${word}'`)
  }

  expectBegin(text: '{{' | '{%'): void {
    if (!this.takeBegin(text)) this.#fail(`'${text}'`)
  }

  expectEnd(text: '}}' | '%}'): void {
    if (!this.#takeIf(this.isEnd(text), 1)) this.#fail(`'${text}'`)
  }

  expectName(): string {
    const token = this.current
    if (token?.kind !== 'name') return this.#fail('a name')
    this.#at += 1
    return token.text
  }

  #isAt(ahead: number, kind: Token['kind'], text: string): boolean {
    const token = this.#tokens[this.#at + ahead]
    return token?.kind === kind && token.text === text
  }

  #takeIf(isThere: boolean, count: number): boolean {
    if (isThere) this.#at += count
    return isThere
  }

  #fail(wanted: string): never {
    throw new SyntaxError(`expected ${wanted}, got ${this.describe()}`)
  }
}
