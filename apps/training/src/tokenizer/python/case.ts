import { alphanumerics, digits, numerics, ownTitle, spaces, titles } from './characters.ts'

/** Letter case and kinds of characters as Python's `str` has them. */

const isCased = (character: string) => /\p{Cased}/u.test(character)

/** `str.title`: the first cased character of each run in title case, the rest in lower case. */
export function title(text: string): string {
  const lowered = lowerEach(text)
  let isInside = false
  return Array.from(text, (character, at) => {
    const written = isInside ? lowered[at]! : titleOf(character)
    isInside = isCased(character)
    return written
  }).join('')
}

/** `str.capitalize`. */
export function capitalize(text: string): string {
  const lowered = lowerEach(text)
  return Array.from(text, (character, at) => (at === 0 ? titleOf(character) : lowered[at]!)).join('')
}

/** `str.swapcase`. */
export function swapCase(text: string): string {
  const lowered = lowerEach(text)
  return Array.from(text, (character, at) => {
    if (/\p{Uppercase}/u.test(character)) return lowered[at]!
    return /\p{Lowercase}/u.test(character) ? character.toUpperCase() : character
  }).join('')
}

function titleOf(character: string): string {
  return titles.get(character) ?? (ownTitle.test(character) ? character : character.toUpperCase())
}

/** Each character in lower case. Only the form of sigma depends on its context: it is final after a cased character and not before one. */
function lowerEach(text: string): string[] {
  const characters = Array.from(text)
  return characters.map((character, at) => {
    if (character !== 'Σ') return character.toLowerCase()
    const [before, after] = [nextThatCounts(characters, at, -1), nextThatCounts(characters, at, 1)]
    return before !== undefined && isCased(before) && !(after !== undefined && isCased(after)) ? 'ς' : 'σ'
  })
}

/** The character before or after an index, skipping those that do not affect case. */
function nextThatCounts(characters: readonly string[], at: number, direction: 1 | -1): string | undefined {
  let place = at + direction
  while (characters[place] !== undefined && /\p{Case_Ignorable}/u.test(characters[place]!)) place += direction
  return characters[place]
}

// Each of these is false of the empty text.
export const isSpace = (text: string) => spaces.test(text)
export const isDecimal = (text: string) => /^\p{Nd}+$/u.test(text)
export const isDigit = (text: string) => digits.test(text)
export const isNumeric = (text: string) => numerics.test(text)
export const isAlphabetic = (text: string) => /^\p{L}+$/u.test(text)
export const isAlphanumeric = (text: string) => alphanumerics.test(text)
export const isAscii = (text: string) => !/[^\0-\x7f]/.test(text)
export const isLower = (text: string) => /\p{Lowercase}/u.test(text) && !/[\p{Uppercase}\p{Lt}]/u.test(text)
export const isUpper = (text: string) => /\p{Uppercase}/u.test(text) && !/[\p{Lowercase}\p{Lt}]/u.test(text)

/** White space other than a blank, controls and characters that are not assigned are not printed; the empty text is printable. */
export const isPrintable = (text: string) => !/[\p{C}\p{Z}]/u.test(text.replaceAll(' ', ''))
export const isIdentifier = (text: string) => /^[\p{XIDS}_]\p{XIDC}*$/u.test(text)

/** `str.istitle`: upper and title case begin each run of cased characters, which continues in lower case. */
export function isTitle(text: string): boolean {
  let isInside = false
  let hasCased = false
  for (const character of text) {
    const begins = /[\p{Uppercase}\p{Lt}]/u.test(character)
    const goesOn = !begins && /\p{Lowercase}/u.test(character)
    if ((begins && isInside) || (goesOn && !isInside)) return false
    isInside = begins || goesOn
    hasCased ||= isInside
  }
  return hasCased
}

/** Cherokee folds to capitals, since its small letters were encoded later. */
const cherokee = /\p{Script=Cherokee}/u

/** `str.casefold`: texts that differ in case alone become equal. */
export function caseFold(text: string): string {
  return Array.from(text, foldCharacter).join('')
}

function foldCharacter(character: string): string {
  if (character === 'ı') return character
  if (character === 'ẞ') return 'ss'
  if (cherokee.test(character)) return character.toUpperCase()
  return Array.from(character.toUpperCase(), (each) => each.toLowerCase()).join('')
}
