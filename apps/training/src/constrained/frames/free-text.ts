import { type Frame, type TextPosition, type Places, specialSymbols, type TextSymbol } from './frame.ts'

/** A text that leads from free text to something else as soon as it is complete. */
export interface Transition {
  symbols: readonly TextSymbol[]
  /** Where it leads; nowhere: free text never holds it. */
  enter: (rest: TextPosition | null) => Places
}

/** Free text that some texts lead out of. */
export interface FreeTextRules {
  /** None may be empty. */
  transitions: readonly Transition[]
  /** Symbols that the text may not begin with, white space aside. */
  notFirst?: ReadonlySet<TextSymbol>
}

/** Any text, special tokens included, up to where a transition is complete. It may end anywhere. */
export function freeText(rules: FreeTextRules): Frame {
  return new FreeText(rules).start()
}

class FreeText {
  readonly #rules: FreeTextRules
  readonly #failures: readonly (readonly number[])[]
  readonly #frames = new Map<string, Frame>()

  constructor(rules: FreeTextRules) {
    this.#rules = rules
    this.#failures = rules.transitions.map(({ symbols }) => failuresOf(symbols))
  }

  start(): Frame {
    return this.#frame(
      this.#rules.transitions.map(() => 0),
      this.#rules.notFirst !== undefined,
    )
  }

  /** @param written of each transition, how many of its symbols the text ends with */
  #frame(written: readonly number[], isFirst: boolean): Frame {
    const key = `${written.join()} ${isFirst}`
    const known = this.#frames.get(key)
    if (known) return known
    const frame: Frame = { canEnd: true, next: (symbol, here, out) => this.#next({ symbol, here, out, written, isFirst, key }) }
    this.#frames.set(key, frame)
    return frame
  }

  #next({ symbol, here, out, written, isFirst, key }: Step): void {
    if (isFirst && this.#rules.notFirst?.has(symbol)) return
    const { transitions } = this.#rules
    const after = written.map((count, at) => follow(transitions[at]!.symbols, this.#failures[at]!, count, symbol))
    const turned = transitions.find(({ symbols }, at) => after[at] === symbols.length)
    if (turned) {
      out.push(...turned.enter(here.rest))
      return
    }
    const frame = this.#frame(after, isFirst && isSpace(symbol))
    // The same position, so that its cached results remain valid.
    const isSame = `${after.join()} ${isFirst && isSpace(symbol)}` === key
    out.push(isSame ? here : { frame, rest: here.rest })
  }
}

interface Step {
  symbol: TextSymbol
  here: TextPosition
  out: (TextPosition | null)[]
  written: readonly number[]
  isFirst: boolean
  key: string
}

function isSpace(symbol: TextSymbol): boolean {
  return symbol < specialSymbols && (symbol === 0x20 || (symbol >= 0x09 && symbol <= 0x0d))
}

/** For each count of symbols, how many of its last symbols also begin the text (Knuth, Morris, Pratt). */
function failuresOf(symbols: readonly TextSymbol[]): number[] {
  const failures = [0, 0]
  for (let count = 1; count < symbols.length; count++) failures.push(follow(symbols, failures, failures[count]!, symbols[count]!))
  return failures
}

function follow(symbols: readonly TextSymbol[], failures: readonly number[], from: number, symbol: TextSymbol): number {
  let count = from
  while (count > 0 && symbols[count] !== symbol) count = failures[count]!
  return symbols[count] === symbol ? count + 1 : 0
}
