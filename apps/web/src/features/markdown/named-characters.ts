/** The usual of the 2,125 names of characters in HTML: all of them would be a fifth of what reads Markdown. */
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  deg: '°',
  plusmn: '±',
  times: '×',
  divide: '÷',
  larr: '←',
  uarr: '↑',
  rarr: '→',
  darr: '↓',
  euro: '€',
  pound: '£',
  yen: '¥',
  sect: '§',
  para: '¶',
}

/**
 * The character of `&name;`; false for an unknown name, which is kept as written. It replaces the package of that name in the build, whose variant
 * for browsers decodes through `innerHTML`, which the content policy forbids.
 */
export function decodeNamedCharacterReference(name: string): string | false {
  return Object.hasOwn(named, name) ? named[name]! : false
}
