import { bind, join, sql, type Sql } from '@heddle/datastore'

/** What an index of words can look for; shorter ones are in nearly every text. */
const minLength = 4
const maxWords = 2
/**
 * How the escape of a letter or digit begins, by the character. If a text contains one, a word with such a character may be written in another way.
 */
const escapes: readonly [RegExp, string][] = [
  [/[0-9]/, 'u003'],
  [/[A-O]/, 'u004'],
  [/[P-Z]/, 'u005'],
  [/[a-o]/, 'u006'],
  [/[p-z]/, 'u007'],
]
/** How escapes of control characters begin. The engine writes them in another way when it rewrites JSON text. */
const controls = ['u000', 'u001']
/** The characters of such an escape after the backslash: a word that begins with one may begin inside an escape. */
const endsEscape = /^[0-9A-Fa-fnrtu]/
/** Characters that the engine escapes when it rewrites JSON text, though they need not be. */
const escapedAnew = /2028|2029|007f/i

/** Letters of a word for which other forms are searched: its beginning is enough. */
const maxLetters = 64
/** Letters of a word that may lie in the escape of a control character: all of `\u001b` but the backslash. */
const lettersInEscape = 5
const controlCharacter = String.raw`\\u00[01][0-9A-Fa-f]`

/**
 * A condition that holds for each JSON text in which a part of a value may be written, and for few others: it spares the engine the parsing, and an
 * index of words may answer it. Undefined if a part is not selective: it needs a word of 4 ASCII letters and digits.
 */
export function mayBeWritten(json: Sql, part: string): Sql | undefined {
  const telling = [...part.matchAll(/[A-Za-z0-9]+/g)]
    .map(({ 0: text, index }) => ({ text, mayBeginInEscape: endsEscape.test(text) && /^\\?$/.test(part.charAt(index - 1)) }))
    .filter(isTelling)
  const words = telling.sort((a, b) => b.text.length - a.text.length).slice(0, maxWords)
  if (words.length === 0) return undefined
  const has = (text: string) => sql`${json} LIKE ${bind('String', `%${text}%`)}`
  const all = (conditions: Sql[]) => join(conditions, sql` AND `)
  const asIs = all(words.map(({ text }) => has(text)))
  // The expensive pattern is tried only if the text contains an escape.
  const someEscape = join(escapesIn(words).map(has), sql` OR `)
  const inOtherForms = all(words.map((word) => sql`match(${json}, ${bind('String', formsOf(word))})`))
  // One pass that looks for all of these at once rules out nearly every text, where one pass for each takes as long as to unpack them.
  const longest = words.slice(0, 1).map(({ text }) => text)
  const someOf = sql`multiSearchAny(${json}, ${bind('Array(String)', [...longest, ...escapesIn(words)])})`
  return sql`(${someOf} AND ((${asIs}) OR ((${someEscape}) AND ${inOtherForms})))`
}

/** A word of a part. */
interface Word {
  text: string
  mayBeginInEscape: boolean
}

function escapesIn(words: readonly Word[]): string[] {
  const ofCharacters = escapes.filter(([characters]) => words.some(({ text }) => characters.test(text))).map(([, start]) => start)
  return words.some(({ mayBeginInEscape }) => mayBeginInEscape) ? [...ofCharacters, ...controls] : ofCharacters
}

/** A regular expression for a word of which each letter may be escaped, and which may begin in the escape of a control character. */
function formsOf({ text, mayBeginInEscape }: Word): string {
  const letters = Array.from(text.slice(0, maxLetters), formsOfLetter)
  const word = letters.join('')
  if (!mayBeginInEscape) return word
  const rest = letters.map((letter, index) => (index < lettersInEscape ? `${letter}?` : letter)).join('')
  return `${word}|${controlCharacter}${rest}`
}

function formsOfLetter(letter: string): string {
  const digits = [...letter.charCodeAt(0).toString(16)].map((digit) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit))
  return String.raw`(?:${letter}|\\u00${digits.join('')})`
}

/** A number may be written in several ways, so digits with an exponent are not a word. */
function isTelling({ text }: Pick<Word, 'text'>): boolean {
  return text.length >= minLength && /[A-DF-Za-df-z]/.test(text) && !escapedAnew.test(text)
}
