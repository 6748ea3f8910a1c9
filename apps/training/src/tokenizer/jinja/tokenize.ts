import { readStringLiteral } from './string-literal.ts'

export type Token =
  | { kind: 'text'; text: string }
  | { kind: 'begin'; text: '{{' | '{%' }
  | { kind: 'end'; text: '}}' | '%}' }
  | { kind: 'name' | 'operator' | 'string'; text: string }
  | { kind: 'integer'; text: string; value: bigint }
  | { kind: 'float'; text: string; value: number }

// White space is what `str.isspace` takes for it, which differs from JavaScript's in both directions.
const rawBegin =
  /\{%([-+]?)[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*raw[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*(?:-%\}[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*|%\})/uy
const rawEnd =
  /\{%([-+]?)[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*endraw[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*(?:\+%\}|-%\}[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*|%\}\n?)/gu
const commentEnd = /\+#\}|-#\}[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*|#\}\n?/gu
const opening = /\{[%{#]/g
const blockEnd = /\+%\}|-%\}[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*|%\}\n?/uy
const variableEnd = /-\}\}[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*|\}\}/uy
const spaces = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/uy
const float = /(?<!\.)(?:\d+_)*\d+(?:(?:\.(?:\d+_)*\d+)?e[+-]?(?:\d+_)*\d+|\.(?:\d+_)*\d+)/iuy
const integer = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\da-f])+|[1-9](?:_?\d)*|0(?:_?0)*/iuy
const name = /[\p{L}\p{N}\p{Mn}\p{Mc}_]+/uy
const string = /'([^'\\]*(?:\\[^][^'\\]*)*)'|"([^"\\]*(?:\\[^][^"\\]*)*)"/uy
const operator = /\/\/|\*\*|[=!<>]=|[-+/*%~[\](){}<>=.:|,;]/uy

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' }

/**
 * Cuts a template into tokens as Jinja does with `trim_blocks` and `lstrip_blocks`: white space at tags, `{%+`, raw blocks and comments are dealt with here.
 * @throws SyntaxError
 */
export function tokenize(template: string): Token[] {
  return new Tokenizer(template.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '')).read()
}

class Tokenizer {
  readonly #source: string
  readonly #tokens: Token[] = []
  #at = 0
  #isLineStart = true

  constructor(source: string) {
    this.#source = source
  }

  read(): Token[] {
    while (this.#at < this.#source.length) {
      opening.lastIndex = this.#at
      const found = opening.exec(this.#source)
      if (!found) {
        this.#addText(this.#source.slice(this.#at))
        break
      }
      this.#readTag(found.index, found[0])
    }
    return this.#tokens
  }

  #readTag(start: number, open: string): void {
    const text = this.#source.slice(this.#at, start)
    const raw = open === '{%' ? this.#match(rawBegin, start) : null
    const sign = raw ? raw[1]! : /[-+]/.test(this.#source[start + 2] ?? '') ? this.#source[start + 2]! : ''
    this.#addText(withoutSpaceBefore(text, { sign, isVariable: open === '{{', isLineStart: this.#isLineStart }))
    if (raw) {
      this.#move(start, raw[0])
      this.#readRaw()
    } else if (open === '{#') {
      this.#at = start + 2 + sign.length
      const [at, found] = this.#find(commentEnd, 'comment')
      this.#move(at, found)
    } else {
      this.#tokens.push({ kind: 'begin', text: open as '{{' | '{%' })
      this.#move(start, open + sign)
      this.#readInside(open === '{{' ? variableEnd : blockEnd, open === '{{' ? '}}' : '%}')
    }
  }

  #readRaw(): void {
    const from = this.#at
    const [at, found, sign] = this.#find(rawEnd, 'raw block')
    this.#addText(withoutSpaceBefore(this.#source.slice(from, at), { sign, isVariable: false, isLineStart: this.#isLineStart }))
    this.#move(at, found)
  }

  /** Index, text and sign of the end of a comment or a raw block. */
  #find(end: RegExp, what: string): [number, string, string] {
    end.lastIndex = this.#at
    const found = end.exec(this.#source)
    if (!found) throw new SyntaxError(`a ${what} has no end`)
    return [found.index, found[0], found[1] ?? '']
  }

  #readInside(end: RegExp, close: '}}' | '%}'): void {
    const open: string[] = []
    while (this.#at < this.#source.length) {
      const ended = open.length === 0 ? this.#match(end, this.#at) : null
      if (ended) {
        this.#tokens.push({ kind: 'end', text: close })
        return this.#move(this.#at, ended[0])
      }
      const blank = this.#match(spaces, this.#at)
      if (blank) this.#move(this.#at, blank[0])
      else this.#readToken(open)
    }
    throw new SyntaxError(`a tag has no end (${close})`)
  }

  #readToken(open: string[]): void {
    const [token, text] = this.#nextToken()
    if (token.kind === 'operator') balance(text, open)
    this.#tokens.push(token)
    this.#move(this.#at, text)
  }

  #nextToken(): [Token, string] {
    const fraction = this.#match(float, this.#at)?.[0]
    if (fraction !== undefined) return [{ kind: 'float', text: fraction, value: Number(fraction.replaceAll('_', '')) }, fraction]
    const whole = this.#match(integer, this.#at)?.[0]
    if (whole !== undefined) return [{ kind: 'integer', text: whole, value: BigInt(whole.replaceAll('_', '')) }, whole]
    const word = this.#match(name, this.#at)?.[0]
    if (word !== undefined) return [{ kind: 'name', text: word }, word]
    const quoted = this.#match(string, this.#at)
    if (quoted) return [{ kind: 'string', text: readStringLiteral(quoted[1] ?? quoted[2]!) }, quoted[0]]
    const sign = this.#match(operator, this.#at)?.[0]
    if (sign !== undefined) return [{ kind: 'operator', text: sign }, sign]
    throw new SyntaxError(`unexpected character ${JSON.stringify(String.fromCodePoint(this.#source.codePointAt(this.#at)!))}`)
  }

  #match(expression: RegExp, at: number): RegExpExecArray | null {
    expression.lastIndex = at
    return expression.exec(this.#source)
  }

  #move(from: number, text: string): void {
    this.#at = from + text.length
    this.#isLineStart = text.endsWith('\n')
  }

  #addText(text: string): void {
    if (text !== '') this.#tokens.push({ kind: 'text', text })
  }
}

interface BeforeTag {
  /** `-` takes white space away, `+` keeps it. */
  sign: string
  isVariable: boolean
  /** Whether the text before it begins a line. */
  isLineStart: boolean
}

const spaceAtEnd =
  /(?<![\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000])[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/u
const onlySpace = /^[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/u

function withoutSpaceBefore(text: string, { sign, isVariable, isLineStart }: BeforeTag): string {
  if (sign === '-') return text.replace(spaceAtEnd, '')
  if (sign === '+' || isVariable) return text
  const line = text.lastIndexOf('\n') + 1
  return (line > 0 || isLineStart) && onlySpace.test(text.slice(line)) ? text.slice(0, line) : text
}

function balance(text: string, open: string[]): void {
  if (Object.hasOwn(closing, text)) open.push(closing[text]!)
  else if (')]}'.includes(text) && open.pop() !== text) throw new SyntaxError(`unexpected '${text}'`)
}
