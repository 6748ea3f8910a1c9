import { type PatternState, stateAfter } from '../grammar/pattern-automaton.ts'
import type { CodeRange } from '../grammar/pattern-symbols.ts'
import { escapes } from './pattern-string.ts'
import { utf8RestOf } from './utf8.ts'

interface StringPrefix {
  /** Start state of the permitted strings. */
  start: PatternState
  /** Characters at most, or Infinity. */
  max: number
  /** The written part of a string after its opening quote. Latin-1: a character for each byte. */
  text: string
  /** How many of the strings that begin like this are excluded. */
  used: number
}

/** True if a string that begins like this is still permitted. The text must begin a permitted one. */
export function leadsToUnused({ start, max, text, used }: StringPrefix): boolean {
  if (used === 0) return true
  const [whole, rest] = splitBegun(text)
  const characters = [...(JSON.parse(`"${Buffer.from(whole, 'latin1').toString()}"`) as string)]
  const state = characters.reduce((at, character) => stateAfter(at, character.codePointAt(0)!)!, start)
  const left = max - characters.length
  if (rest === '') return leadsToMore([{ state, left, count: 1 }], used)
  const begun = codesBehind(rest)
  return leadsToMore(
    begun.flatMap((range) => steps({ state, left, count: 1 }, range)),
    used,
  )
}

/** The complete characters, and a partial character or escape. */
function splitBegun(text: string): [string, string] {
  const escape = /^(?:[^\\]|\\(?:[^u]|u.{4}))*(\\(?:u.{0,3})?)$/s.exec(text)
  if (escape !== null) return [text.slice(0, -escape[1]!.length), escape[1]!]
  for (let count = 1; count <= 3 && count <= text.length; count += 1) {
    const rest = utf8RestOf(text.charCodeAt(text.length - count))
    if (rest !== undefined) return rest.left + 1 >= count ? [text.slice(0, -count), text.slice(-count)] : [text, '']
  }
  return [text, '']
}

/** Characters that begin like this. */
function codesBehind(rest: string): CodeRange[] {
  if (rest.startsWith('\\')) return escapes.filter(({ text }) => text.startsWith(rest.slice(1))).map(({ code }) => [code, code])
  const { left } = utf8RestOf(rest.charCodeAt(0))!
  const value = [...rest].reduce(
    (sum, byte, at) => (at === 0 ? byte.charCodeAt(0) & (0x3f >> (left + 1)) : sum * 64 + (byte.charCodeAt(0) & 0x3f)),
    0,
  )
  const scale = 64 ** (left + 2 - rest.length)
  return [[value * scale, (value + 1) * scale - 1]]
}

interface Prefixes {
  state: PatternState
  left: number
  /** How many partial strings are like this. */
  count: number
}

/** Each partial string leads to an end, so at most `used` of them are followed. */
function leadsToMore(begun: readonly Prefixes[], used: number): boolean {
  let frontier = begun
  let ended = 0
  for (;;) {
    const most = frontier.reduce((sum, { count }) => sum + count, ended)
    if (most > used) return true
    if (frontier.length === 0) return false
    ended += frontier.reduce((sum, { state, count }) => sum + (state.isEnd ? count : 0), 0)
    frontier = frontier.flatMap((each) => steps(each, [0, 0x10ffff]))
  }
}

function steps({ state, left, count }: Prefixes, [low, high]: CodeRange): Prefixes[] {
  return state.transitions.flatMap(({ range, to }) => {
    const size = Math.min(high, range[1]) - Math.max(low, range[0]) + 1
    return size > 0 && to.distance < left ? [{ state: to, left: left - 1, count: count * size }] : []
  })
}
