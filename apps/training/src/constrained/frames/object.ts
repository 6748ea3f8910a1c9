import type { ObjectNode, SchemaNode } from '../schema/schema-node.ts'
import { type Frame, type Pending, type TextSymbol } from './frame.ts'
import { literal } from './literal.ts'
import { type OtherNames, PropertyNameFrame } from './property-name.ts'
import { space } from './space.ts'

const openBrace = 0x7b
const closeBrace = 0x7d
const comma = 0x2c
const quote = 0x22
const colon = literal(':')

export type FrameOf = (node: SchemaNode) => Frame

/** What has been written of an object. */
interface Written {
  seen: bigint
  others: OtherNames | null
}

/** An object, its properties in any order, each at most once. */
export class ObjectFrame implements Frame {
  readonly canEnd = false
  readonly #node: ObjectNode
  readonly #frameOf: FrameOf

  constructor(node: ObjectNode, frameOf: FrameOf) {
    this.#node = node
    this.#frameOf = frameOf
  }

  next(symbol: TextSymbol, { rest }: Pending, out: (Pending | null)[]): void {
    if (symbol !== openBrace) return
    const members = new Members(this.#node, this.#frameOf, rest)
    out.push({ frame: space, rest: { frame: new MemberFrame(members, { seen: 0n, others: null }, 'first'), rest } })
  }
}

/** The members of one object, and what follows it. */
class Members {
  readonly #node: ObjectNode
  readonly #frameOf: FrameOf
  readonly #rest: Pending | null
  readonly #possible: bigint

  constructor(node: ObjectNode, frameOf: FrameOf, rest: Pending | null) {
    this.#node = node
    this.#frameOf = frameOf
    this.#rest = rest
    this.#possible = node.values.reduce((bits, value, place) => (value === null ? bits : bits | (1n << BigInt(place))), 0n)
  }

  isComplete({ seen }: Written): boolean {
    return (this.#node.required & ~seen) === 0n
  }

  canGrow({ seen }: Written): boolean {
    return this.#node.additional !== null || (this.#possible & ~seen) !== 0n
  }

  /** A name behind its opening quote, its value, and what follows. */
  name({ seen, others }: Written): Frame {
    return new PropertyNameFrame({
      names: this.#node.names,
      open: this.#possible & ~seen,
      isOpenToOthers: this.#node.additional !== null,
      others,
      after: (property, spelling) => {
        const written =
          property === null ? { seen, others: { spelling, before: others } } : { seen: seen | (1n << BigInt(property)), others }
        const value = property === null ? this.#node.additional! : this.#node.values[property]!
        const next: Pending = { frame: space, rest: { frame: new MemberFrame(this, written, 'further'), rest: this.#rest } }
        return { frame: space, rest: { frame: colon, rest: { frame: space, rest: { frame: this.#frameOf(value), rest: next } } } }
      },
    })
  }
}

/** Between two members: the end of the object, or the next one. `name`: behind a comma, where only a name may come. */
class MemberFrame implements Frame {
  readonly canEnd = false
  readonly #members: Members
  readonly #written: Written
  readonly #state: 'first' | 'further' | 'name'

  constructor(members: Members, written: Written, state: 'first' | 'further' | 'name') {
    this.#members = members
    this.#written = written
    this.#state = state
  }

  next(symbol: TextSymbol, { rest }: Pending, out: (Pending | null)[]): void {
    if (symbol === closeBrace && this.#state !== 'name' && this.#members.isComplete(this.#written)) out.push(rest)
    if (!this.#members.canGrow(this.#written)) return
    if (symbol === comma && this.#state === 'further') {
      out.push({ frame: space, rest: { frame: new MemberFrame(this.#members, this.#written, 'name'), rest } })
    }
    if (symbol === quote && this.#state !== 'further') out.push({ frame: this.#members.name(this.#written), rest: null })
  }
}
