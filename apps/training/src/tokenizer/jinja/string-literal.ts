const simple: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

const escaped = /\\(?:([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([^]))/gu
const beyondAscii = /[^\0-\x7f]/gu

/**
 * The text of a literal between its quotes, as Jinja reads it: Python's `unicode-escape`, over a text whose other characters are escaped first.
 * Unknown escapes are kept as written.
 * @throws SyntaxError for a truncated escape, or names a character
 */
export function readStringLiteral(source: string): string {
  const written = source.includes('\\') ? source.replaceAll(beyondAscii, escapeOf) : source
  if (!written.includes('\\')) return written
  return written.replaceAll(escaped, (whole, octal?: string, two?: string, four?: string, eight?: string, letter?: string) => {
    if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8))
    const digits = two ?? four ?? eight
    if (digits !== undefined) return fromCode(Number.parseInt(digits, 16), whole)
    if ('xuUN'.includes(letter!)) throw new SyntaxError(`the escape ${whole} in a text is not complete or not supported`)
    return simple[letter!] ?? whole
  })
}

function fromCode(code: number, written: string): string {
  if (code > 0x10ffff) throw new SyntaxError(`the escape ${written} is no character`)
  return String.fromCodePoint(code)
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0)!
  const [letter, digits] = code < 0x100 ? ['x', 2] : code < 0x10000 ? ['u', 4] : ['U', 8]
  return `\\${letter}${code.toString(16).padStart(digits as number, '0')}`
}
