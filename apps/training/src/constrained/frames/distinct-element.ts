import type { SchemaNode } from '../grammar/schema-node.ts'
import { unitsAtLeast } from '../grammar/decimal-bounds.ts'
import { advance, type Frame, isComplete, type TextPosition, type Places, type TextSymbol } from './frame.ts'
import { withoutText } from '../grammar/literal-tree.ts'
import type { FrameOf } from './object.ts'
import { leadsToUnused } from './unused-strings.ts'

interface DistinctElement {
  schema: SchemaNode
  /** Elements before, in the spelling of constants. */
  values: readonly string[]
  frameOf: FrameOf
  /** The continuation after an element with this value. */
  after: (value: string) => TextPosition
}

/** One possible form of an element, as far as it is written. */
interface Form {
  leaf: SchemaNode
  places: Places
}

/** An element that is equal to none before it. */
export class DistinctElementFrame implements Frame {
  readonly canEnd = false
  readonly #element: DistinctElement
  readonly #forms: readonly Form[]
  /** Latin-1: a character for each byte. */
  readonly #text: string
  /** Elements before that begin like this, in the same spelling. */
  readonly #alike: readonly string[]

  private constructor(element: DistinctElement, forms: readonly Form[], text: string, alike: readonly string[]) {
    this.#element = element
    this.#forms = forms
    this.#text = text
    this.#alike = alike
  }

  static start(element: DistinctElement): DistinctElementFrame {
    const { schema, values, frameOf } = element
    const leaves = schema.kind === 'choice' ? schema.alternatives : [schema]
    const forms = leaves.map((leaf): Form => ({ leaf, places: [{ frame: frameOf(withoutValues(leaf, values)), rest: null }] }))
    return new DistinctElementFrame(
      element,
      forms,
      '',
      values.map((value) => Buffer.from(value).toString('latin1')),
    )
  }

  next(symbol: TextSymbol, _here: TextPosition, out: (TextPosition | null)[]): void {
    if (symbol > 0xff) return
    const text = this.#text + String.fromCharCode(symbol)
    const alike = this.#alike.filter((value) => value.charCodeAt(this.#text.length) === symbol)
    const reached = this.#forms.map(({ leaf, places }): Form => ({ leaf, places: advance(places, symbol) }))
    const open = reached
      .map(({ leaf, places }): Form => ({ leaf, places: places.filter((place) => place !== null) }))
      .filter(({ leaf, places }) => places.length > 0 && leadsToOther(leaf, text, alike.length))
    if (open.length > 0) out.push({ frame: new DistinctElementFrame(this.#element, open, text, alike), rest: null })
    if (reached.some(({ places }) => places.includes(null))) out.push(...this.#behind(text))
    // A number ends where something else follows it.
    if (this.#forms.some(({ places }) => isComplete(places))) out.push(...advance(this.#behind(this.#text), symbol))
  }

  /** None behind a value that was there before. */
  #behind(text: string): Places {
    const value = inOneSpelling(Buffer.from(text, 'latin1').toString())
    return this.#element.values.includes(value) ? [] : [this.#element.after(value)]
  }
}

/** Whole numbers are compared by their digits, because JavaScript reads different ones beyond 2^53 as the same number. */
function inOneSpelling(json: string): string {
  return /^-?[1-9]\d*$/.test(json) ? json : JSON.stringify(JSON.parse(json))
}

/** Other forms are followed without the values seen so far. */
function leadsToOther(leaf: SchemaNode, text: string, used: number): boolean {
  return leaf.kind !== 'pattern' || leadsToUnused({ start: leaf.start!, max: leaf.max, text: text.slice(1), used })
}

/** Strings of a pattern are compared at their end. */
function withoutValues(leaf: SchemaNode, values: readonly string[]): SchemaNode {
  switch (leaf.kind) {
    case 'literal':
      return { kind: 'literal', tree: values.reduce((tree, value) => withoutText(tree, [...new TextEncoder().encode(value)]), leaf.tree) }
    case 'integer': {
      const without = values.filter((value) => /^-?\d+$/.test(value)).map(BigInt)
      return { kind: 'integer', bounds: { ...leaf.bounds, without: without.filter((each) => isMultiple(each, leaf.bounds.multipleOf)) } }
    }
    case 'number': {
      const without = values.filter((value) => /^[-\d]/.test(value)).map((value) => unitsAtLeast(Number(value)))
      const bounds = leaf.bounds ?? { low: null, high: null }
      return { kind: 'number', bounds: { ...bounds, without: without.filter((each) => isMultiple(each, bounds.multipleOf)) } }
    }
    default:
      return leaf
  }
}

function isMultiple(value: bigint, of = 1n): boolean {
  return value % of === 0n
}
