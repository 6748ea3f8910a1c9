import { bind, join, sql, type Sql } from '@heddle/datastore'

/** What an index of words can look for; shorter ones are in nearly every text. */
const minLength = 4
const maxWords = 2
/** How an escaped letter, digit or control character begins. Where one stands, a word may be written in another way. */
const escapes = ['u000', 'u001', 'u003', 'u004', 'u005', 'u006', 'u007']
/** Characters that the engine escapes when it writes JSON text anew, though they need not be. */
const escapedAnew = /2028|2029|007f/i

/**
 * A condition that holds for each JSON text in which a part of a value may be written, and for few others: it spares the engine the
 * parsing, and an index of words may answer it. Undefined where a part tells nothing: it needs a word of 4 ASCII letters and digits.
 */
export function mayBeWritten(json: Sql, part: string): Sql | undefined {
  const words = (part.match(/[A-Za-z0-9]+/g) ?? []).filter(isTelling).sort((a, b) => b.length - a.length)
  if (words.length === 0) return undefined
  const has = (word: string) => sql`${json} LIKE ${bind('String', `%${word}%`)}`
  const all = join(words.slice(0, maxWords).map(has), sql` AND `)
  return sql`((${all}) OR ${join(escapes.map(has), sql` OR `)})`
}

/** A number may be written in several ways, so digits with an exponent are no word. */
function isTelling(word: string): boolean {
  return word.length >= minLength && /[A-DF-Za-df-z]/.test(word) && !escapedAnew.test(word)
}
