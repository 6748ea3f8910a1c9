import type { ObjectNode, SchemaNode } from '../grammar/schema-node.ts'
import { type Frame, type TextPosition, type TextSymbol } from './frame.ts'
import { literal } from './literal.ts'
import { type OtherNames, PropertyNameFrame } from './property-name.ts'
import { space } from './space.ts'

const openBrace = 0x7b
const closeBrace = 0x7d
const comma = 0x2c
const quote = 0x22
const colon = literal(':')

export type FrameOf = (node: SchemaNode) => Frame

/** The part of an object that has been written. */
interface ObjectPrefix {
  seen: bigint
  others: OtherNames | null
  /** Index of the last known property; -1 for none. */
  last: number
  count: number
}

const nothing: ObjectPrefix = { seen: 0n, others: null, last: -1, count: 0 }

/** An object: its known properties in the order of the schema, each at most once, then other properties. */
export class ObjectFrame implements Frame {
  readonly canEnd = false
  readonly #node: ObjectNode
  readonly #frameOf: FrameOf

  constructor(node: ObjectNode, frameOf: FrameOf) {
    this.#node = node
    this.#frameOf = frameOf
  }

  next(symbol: TextSymbol, { rest }: TextPosition, out: (TextPosition | null)[]): void {
    if (symbol !== openBrace) return
    const members = new Members(this.#node, this.#frameOf, rest)
    out.push({ frame: space, rest: { frame: new MemberFrame(members, nothing, 'first'), rest } })
  }
}

/** The members of one object, and its continuation. */
class Members {
  readonly #node: ObjectNode
  readonly #frameOf: FrameOf
  readonly #rest: TextPosition | null
  /** By the index of the last property and, if the number of properties is bounded, their count. */
  readonly #open = new Map<number, bigint>()

  constructor(node: ObjectNode, frameOf: FrameOf, rest: TextPosition | null) {
    this.#node = node
    this.#frameOf = frameOf
    this.#rest = rest
  }

  isComplete({ seen, count }: ObjectPrefix): boolean {
    return this.#hasRequired(seen) && count >= this.#node.min
  }

  canGrow(written: ObjectPrefix): boolean {
    return this.#openAfter(written) !== 0n || this.#takesOthers(written)
  }

  #hasRequired(seen: bigint): boolean {
    return (this.#node.required & ~seen) === 0n
  }

  #takesOthers({ seen, count }: ObjectPrefix): boolean {
    return this.#node.others !== null && this.#hasRequired(seen) && count < this.#node.max
  }

  /** Known properties that may be next: those behind the last one, up to and with the first that is required. None behind another property. */
  #openAfter({ last, others, count }: ObjectPrefix): bigint {
    if (others !== null) return 0n
    const { values, min, max } = this.#node
    const key = min === 0 && max === Infinity ? last : last * (values.length + 1) + count
    const known = this.#open.get(key)
    if (known !== undefined) return known
    const open = this.#findOpen(last, count)
    this.#open.set(key, open)
    return open
  }

  #findOpen(last: number, count: number): bigint {
    const { values, required, min, max, others } = this.#node
    let open = 0n
    let [possibleBehind, requiredBehind] = [0, 0]
    for (let index = values.length - 1; index > last; index -= 1) {
      const bit = 1n << BigInt(index)
      const isRequired = (required & bit) !== 0n
      // Only properties up to the first required one may be next.
      if (isRequired) open = 0n
      const isEnough = others !== null || count + 1 + possibleBehind >= min
      if (values[index] !== null && isEnough && count + 1 + requiredBehind <= max) open |= bit
      if (values[index] !== null) possibleBehind += 1
      if (isRequired) requiredBehind += 1
    }
    return open
  }

  /** A name after its opening quote, its value, and the continuation. */
  name(before: ObjectPrefix): Frame {
    const { seen, others, last, count } = before
    return PropertyNameFrame.start({
      names: this.#node.names,
      open: this.#openAfter(before),
      otherStart: this.#takesOthers(before) ? this.#node.others!.start : null,
      others,
      afterKnown: (property) => {
        const written = { seen: seen | (1n << BigInt(property)), others, last: property, count: count + 1 }
        return this.#value(this.#node.values[property]!, written)
      },
      afterOther: (kind, spelling) => {
        const written = { seen, others: { spelling, before: others }, last, count: count + 1 }
        return this.#value(this.#node.others!.values[kind]!, written)
      },
    })
  }

  #value(value: SchemaNode, written: ObjectPrefix): TextPosition {
    const next: TextPosition = { frame: space, rest: { frame: new MemberFrame(this, written, 'further'), rest: this.#rest } }
    return { frame: space, rest: { frame: colon, rest: { frame: space, rest: { frame: this.#frameOf(value), rest: next } } } }
  }
}

/** Between two members: the end of the object, or the next member. `name`: after a comma, where only a name may follow. */
class MemberFrame implements Frame {
  readonly canEnd = false
  readonly #members: Members
  readonly #written: ObjectPrefix
  readonly #state: 'first' | 'further' | 'name'

  constructor(members: Members, written: ObjectPrefix, state: 'first' | 'further' | 'name') {
    this.#members = members
    this.#written = written
    this.#state = state
  }

  next(symbol: TextSymbol, { rest }: TextPosition, out: (TextPosition | null)[]): void {
    if (symbol === closeBrace && this.#state !== 'name' && this.#members.isComplete(this.#written)) out.push(rest)
    if (!this.#members.canGrow(this.#written)) return
    if (symbol === comma && this.#state === 'further') {
      out.push({ frame: space, rest: { frame: new MemberFrame(this.#members, this.#written, 'name'), rest } })
    }
    if (symbol === quote && this.#state !== 'further') out.push({ frame: this.#members.name(this.#written), rest: null })
  }
}
