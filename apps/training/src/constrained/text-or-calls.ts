import { type FreeTextRules, freeText, type Transition } from './frames/free-text.ts'
import type { TextPosition, Places, TextSymbol } from './frames/frame.ts'
import type { CompiledSize } from './grammar/compiled-size.ts'
import { callsAfter, type ToolCallConstraint } from './tool-calls.ts'

/** What ends the reasoning before an answer. */
const reasoningEnd = /^[^]*<\/(?:think|thinking|reasoning)>/
const reasoningEnds = ['</think>', '</thinking>', '</reasoning>']

/**
 * Where an answer begins that is text, calls, or text and then calls. Whatever is read as a call later is one that the constraint allows: free text leads into
 * one as soon as it holds what begins calls, spelled by special tokens or by their letters.
 */
export function startTextOrCalls(
  constraint: ToolCallConstraint,
  open: string,
  spell: (text: string) => TextSymbol[],
  size: CompiledSize,
): Places {
  const { format } = constraint
  const opening = (format.preamble.replace(reasoningEnd, '') + format.begin).trimStart()
  const calls = callsAfter(constraint, spell, size)
  return open === '' ? answersOfJson(calls(opening), spell) : answersWithOpening({ constraint, open, opening, calls, spell })
}

interface CallsAfterOpening {
  constraint: ToolCallConstraint
  open: string
  /** All that is before the name of the first call; begins with `open`. */
  opening: string
  calls: ReturnType<typeof callsAfter>
  spell: (text: string) => TextSymbol[]
}

function answersWithOpening({ constraint, open, opening, calls, spell }: CallsAfterOpening): Places {
  const start = calls(opening.slice(open.length))
  // Behind calls more of them may follow, or none.
  const text = (enter: Transition['enter']) => freeText({ transitions: spellings(open, spell).map((symbols) => ({ symbols, enter })) })
  const last: TextPosition = { frame: text(() => []), rest: null }
  if (!constraint.parallel) return [{ frame: text(() => start(last)), rest: null }]
  const again: TextPosition = { frame: text(() => start(again)), rest: null }
  return [again]
}

/** The JSON of calls is the whole answer, behind the reasoning if there is any: text that could be read as one does not begin like it. */
function answersOfJson(start: (rest: TextPosition | null) => Places, spell: (text: string) => TextSymbol[]): Places {
  const rules: FreeTextRules = {
    transitions: reasoningEnds.flatMap((tag) => spellings(tag, spell).map((symbols) => ({ symbols, enter: () => answers() }))),
    notFirst: new Set([...'{['].map((character) => character.charCodeAt(0))),
  }
  const text: TextPosition = { frame: freeText(rules), rest: null }
  const answers = (): Places => [text, ...start(null)]
  return answers()
}

/** A text by its special tokens, and by its letters. */
function spellings(text: string, spell: (text: string) => TextSymbol[]): TextSymbol[][] {
  const [own, letters] = [spell(text), [...new TextEncoder().encode(text)]]
  return own.length === letters.length ? [letters] : [own, letters]
}
