import { isJsonObject, type JsonObject, type JsonValue, parsed } from '../../json-value.ts'
import { isTruthy } from './look-up.ts'

export interface FoundAttribute {
  name: string
  value: JsonValue
}

/** The attribute found in each row; rows without a value are absent. */
export type FoundAttributes<Row extends string> = { [R in Row]?: RankedAttribute }

interface RankedAttribute extends FoundAttribute {
  /** Rank of the name in its row. */
  rank: number
}

/** A part of dotted names, with the parts that may follow it. */
interface NamePart<Row extends string> {
  next: Map<string, NamePart<Row>>
  /** The names that end here. */
  ends: { row: Row; name: string; rank: number }[]
}

/** Parts that no name of a table has. */
const longestName = 20

/** Rows of dotted names, of which the first one counts that has a value. All rows are found in one walk over the attributes. */
export class NameTable<Row extends string> {
  readonly #start: NamePart<Row> = { next: new Map(), ends: [] }
  readonly #counts: (value: JsonValue) => boolean

  /** `counts` decides which values are not ignored. */
  constructor(rows: Readonly<Record<Row, readonly string[]>>, counts: (value: JsonValue) => boolean = isTruthy) {
    this.#counts = counts
    for (const row of Object.keys(rows) as Row[]) rows[row].forEach((name, rank) => this.#endOf(name).ends.push({ row, name, rank }))
  }

  /** A name that is only the beginning of longer ones finds their object. */
  find(attributes: JsonObject): FoundAttributes<Row> {
    const found: FoundAttributes<Row> = {}
    this.#walk(attributes, this.#start, found)
    return found
  }

  #endOf(name: string): NamePart<Row> {
    let part = this.#start
    for (const segment of name.split('.')) {
      const next: NamePart<Row> = part.next.get(segment) ?? { next: new Map(), ends: [] }
      part.next.set(segment, next)
      part = next
    }
    return part
  }

  #walk(object: JsonObject, part: NamePart<Row>, found: FoundAttributes<Row>): void {
    for (const key in object) {
      const value = object[key] as JsonValue
      const next = part.next.get(key)
      if (next === undefined) {
        this.#take(value, endBeside(object, key, part), found)
        continue
      }
      this.#take(value, next, found)
      const inner = next.next.size === 0 ? undefined : parsed(value)
      if (isJsonObject(inner)) this.#walk(inner, next, found)
    }
  }

  #take(value: JsonValue, part: NamePart<Row> | undefined, found: FoundAttributes<Row>): void {
    if (part === undefined || part.ends.length === 0 || !this.#counts(value)) return
    for (const { row, name, rank } of part.ends) {
      const before = found[row]
      if (before === undefined || rank < before.rank) found[row] = { name, value, rank }
    }
  }
}

/** The rest of a name whose beginning the object has as a plain value: below it, the rest of a name is stored next to it. */
function endBeside<Row extends string>(object: JsonObject, key: string, part: NamePart<Row>): NamePart<Row> | undefined {
  if (!key.includes('.')) return undefined
  const segments = key.split('.', longestName)
  const plain = parsed(object[segments[0] as string])
  if (plain === undefined || Array.isArray(plain) || isJsonObject(plain)) return undefined
  return segments.reduce<NamePart<Row> | undefined>((before, segment) => before?.next.get(segment), part)
}
