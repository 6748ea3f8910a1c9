import { words } from '../python/characters.ts'
import { split } from '../python/strings.ts'
import { escapeHtml } from './escape-html.ts'

export interface LinkOptions {
  /** Most characters of an address that are shown. */
  shown: number | null
  rel: string
  target: string
  /** Further URL schemes, such as `ftp:`. */
  schemes: readonly string[]
}

// Python's `\w` is a letter, a number or `_`, and without regard to case `i` with and without a dot are letters from a to z.
const address =
  /^(?:(?:https?:\/\/|www\.)(?:(?:[\p{L}\p{N}_%-]+\.)+)?(?:[a-zıİ]{2,63}|xn--[\p{L}\p{N}_%]{2,59})|(?:[\p{L}\p{N}_%-]{2,63}\.)+(?:com|net|int|edu|gov|org|info|mil)|https?:\/\/(?:\p{Nd}{1,3}(?:\.\p{Nd}{1,3}){3}|\[(?:[\p{Nd}a-f]{0,4}:){2}(?:[\p{Nd}a-f]{0,4}:?){1,6}\]))(?::\p{Nd}{1,5})?(?:[/?#][^\u{9}-\u{d}\u{1c}-\u{20}\u{85}\u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}]*)?$/iu
const mailAddress =
  /^[^\u{9}-\u{d}\u{1c}-\u{20}\u{85}\u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}]+@[\p{L}\p{N}_][\p{L}\p{N}_.-]*\.[\p{L}\p{N}_]+$/u
const head = /^(?:[(<]|&lt;)+/
const brackets = [
  ['(', ')'],
  ['<', '>'],
  ['&lt;', '&gt;'],
] as const

/** Jinja's `urlize`: addresses of the web and of mail within a text of HTML become links. */
export function urlize(html: string, options: LinkOptions): string {
  return html.replaceAll(words, (word) => linkWord(word, options))
}

function linkWord(word: string, options: LinkOptions): string {
  const before = head.exec(word)?.[0] ?? ''
  const [middle, after] = balanced(...withoutTail(word.slice(before.length)))
  return before + link(middle, options) + after
}

/** Marks at the end of a word are not part of an address. */
function withoutTail(word: string): [string, string] {
  let end = word.length
  for (;;) {
    if (/[)>.,\n]/.test(word[end - 1] ?? '')) end -= 1
    else if (word.slice(0, end).endsWith('&gt;')) end -= 4
    else return [word.slice(0, end), word.slice(end)]
  }
}

/** A bracket that the address opens, it also closes. */
function balanced(middle: string, tail: string): [string, string] {
  let [inside, after] = [middle, tail]
  for (const [start, end] of brackets) {
    const opened = occurrences(inside, start)
    if (opened <= occurrences(inside, end)) continue
    for (let left = Math.min(opened, occurrences(after, end)); left > 0; left -= 1) {
      const place = after.indexOf(end) + end.length
      inside += after.slice(0, place)
      after = after.slice(place)
    }
  }
  return [inside, after]
}

const occurrences = (text: string, wanted: string) => text.split(wanted).length - 1

function link(word: string, { shown, rel, target, schemes }: LinkOptions): string {
  const attributes = (rel === '' ? '' : ` rel="${escapeHtml(rel)}"`) + (target === '' ? '' : ` target="${escapeHtml(target)}"`)
  const characters = Array.from(word)
  const text =
    shown !== null && characters.length > shown ? `${characters.slice(0, shown < 0 ? characters.length + shown : shown).join('')}...` : word
  if (address.test(word)) return `<a href="${/^https?:\/\//.test(word) ? '' : 'https://'}${word}"${attributes}>${text}</a>`
  if (word.startsWith('mailto:') && mailAddress.test(word.slice(7))) return `<a href="${word}">${word.slice(7)}</a>`
  if (isMail(word)) return `<a href="mailto:${word}">${word}</a>`
  return schemes.reduce(
    (written, scheme) => (written !== scheme && written.startsWith(scheme) ? `<a href="${written}"${attributes}>${written}</a>` : written),
    word,
  )
}

const isMail = (word: string) =>
  word.includes('@') && !word.startsWith('www.') && !word.startsWith('@') && !word.includes(':') && mailAddress.test(word)

/** The values of `rel` in their order, each once. */
export function relOf(given: string, isNofollow: boolean): string {
  return [...new Set([...split(given, null, -1), ...(isNofollow ? ['nofollow'] : []), 'noopener'])].toSorted().join(' ')
}
