import { type PatternState, stateAfter } from '../grammar/pattern-automaton.ts'
import { type Frame, type TextPosition, type TextSymbol } from './frame.ts'
import { continueUtf8, type Utf8Rest, utf8RestOf } from './utf8.ts'

/** A string of JSON that an automaton allows. Characters are escaped only where they must be. */
export class PatternStringFrame implements Frame {
  readonly canEnd = false
  readonly #state: PatternState
  readonly #max: number

  constructor(state: PatternState, max: number) {
    this.#state = state
    this.#max = max
  }

  next(symbol: TextSymbol, { rest }: TextPosition, out: (TextPosition | null)[]): void {
    if (symbol === quote) out.push({ frame: contentOf({ state: this.#state, left: this.#max }), rest })
  }
}

/** A position in a string: the possible continuations, and the most characters left. */
interface Place {
  state: PatternState
  left: number
}

const quote = 0x22
const backslash = 0x5c
const contents = new WeakMap<PatternState, Frame>()

/** The content of a string that an automaton allows, up to its closing quote. */
export function patternContent(state: PatternState): Frame {
  return contentOf({ state, left: Infinity })
}

/** Without a bound, one frame serves all positions of a state. */
function contentOf(place: Place): Frame {
  if (place.left < Infinity) return createContent(place)
  const known = contents.get(place.state)
  if (known) return known
  const frame = createContent(place)
  contents.set(place.state, frame)
  return frame
}

function createContent(place: Place): Frame {
  return { canEnd: false, next: (symbol, here, out) => nextInContent(place, symbol, here, out) }
}

function nextInContent(place: Place, symbol: TextSymbol, here: TextPosition, out: (TextPosition | null)[]): void {
  if (symbol === quote) {
    if (place.state.isEnd) out.push(here.rest)
  } else if (symbol === backslash) {
    if (escaped.some((code) => follow(place, code) !== null)) out.push({ frame: escapeOf(place), rest: here.rest })
  } else if (symbol >= 0x20 && symbol < 0x80) {
    const to = follow(place, symbol)
    if (to !== null) out.push(to.state === place.state && to.left === place.left ? here : { frame: contentOf(to), rest: here.rest })
  } else {
    const utf8 = utf8RestOf(symbol)
    if (utf8 !== undefined) pushCharacter(place, { utf8, value: symbol & (0x3f >> (utf8.left + 1)) }, here.rest, out)
  }
}

/** A character is taken only where an end is near enough behind it. */
function follow({ state, left }: Place, code: number): Place | null {
  const to = stateAfter(state, code)
  return to !== null && to.distance < left ? { state: to, left: left - 1 } : null
}

interface CharacterPrefix {
  utf8: Utf8Rest
  value: number
}

/** A character may begin only if some permitted character begins with the same byte. */
function pushCharacter(place: Place, begun: CharacterPrefix, rest: TextPosition | null, out: (TextPosition | null)[]): void {
  const { low, high, left } = begun.utf8
  const scale = 64 ** left
  const from = (begun.value * 64 + (low & 0x3f)) * scale
  const to = (begun.value * 64 + (high & 0x3f)) * scale + scale - 1
  const { state, left: most } = place
  const isPossible = state.transitions.some(({ range, to: next }) => range[0] <= to && range[1] >= from && next.distance < most)
  if (isPossible) out.push({ frame: restOfCharacter(place, begun), rest })
}

function restOfCharacter(place: Place, { utf8, value }: CharacterPrefix): Frame {
  return {
    canEnd: false,
    next(symbol, { rest }, out) {
      const following = continueUtf8(utf8, symbol)
      if (following === undefined) return
      const code = value * 64 + (symbol & 0x3f)
      if (following !== null) {
        pushCharacter(place, { utf8: following, value: code }, rest, out)
        return
      }
      const to = follow(place, code)
      if (to !== null) out.push({ frame: contentOf(to), rest })
    },
  }
}

/** What JSON lets no string hold as it is. */
const escaped = [...Array.from({ length: 0x20 }, (_, code) => code), quote, backslash]
/** For each escaped character, the text after the backslash. */
export const escapes = escaped.map((code) => ({ code, text: JSON.stringify(String.fromCharCode(code)).slice(2, -1) }))

/** Behind a backslash and `written`. */
function escapeOf(place: Place, written = ''): Frame {
  return {
    canEnd: false,
    next(symbol, { rest }, out) {
      const text = written + String.fromCharCode(symbol)
      const possible = escapes.filter((escape) => escape.text.startsWith(text) && follow(place, escape.code) !== null)
      if (possible.length === 0) return
      const whole = possible.find((escape) => escape.text === text)
      out.push({ frame: whole === undefined ? escapeOf(place, text) : contentOf(follow(place, whole.code)!), rest })
    },
  }
}
