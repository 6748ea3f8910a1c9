import { StoreError } from '../work/store-error.ts'

/** A bound value. It is sent separately from the statement and never becomes part of its text. */
export interface Param {
  readonly type: ParamType
  readonly value: ParamValue
}
export type ParamType =
  | 'String'
  | 'Nullable(String)'
  | 'Bool'
  | 'UInt64'
  | 'Int64'
  | 'Float64'
  | 'DateTime64(6)'
  | 'Array(String)'
  | 'Array(UInt64)'
  | 'Array(Int64)'
  | 'Array(Array(Int64))'
  | 'Array(Array(String))'
  | 'Array(Float64)'
  | 'Array(Tuple(String, String))'
  | 'Identifier'
export type ParamValue = string | number | bigint | boolean | null | readonly ParamValue[]

const brand = Symbol('sql')

/** A statement or a fragment of one. Only the `sql` tag creates it, so text from a request cannot become one. */
export interface Sql {
  readonly [brand]: true
  readonly strings: readonly string[]
  readonly params: readonly Param[]
  /** Characters of the text, plus 20 for each parameter. */
  readonly size: number
}

/**
 * Maximum size of a statement. The engine accepts 50,000 syntax elements; the densest statements have one per six characters,
 * and the engine needs seconds to parse larger ones.
 */
export const maxStatementSize = 250_000

/** Approximate length of the name and type of a parameter. */
const paramSize = 20

/** A statement as it is sent: `{p0:String}` in the text is the placeholder of parameter `p0`. */
export interface RenderedSql {
  text: string
  params: Record<string, ParamValue>
}

/** Builds a statement. Interpolated statements are spliced in; bound values become parameters; nothing else can be interpolated. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Sql | Param)[]): Sql {
  const statement = new Builder(strings[0] ?? '')
  parts.forEach((part, index) => {
    if (brand in part) statement.splice(part)
    else statement.bind(part)
    statement.write(strings[index + 1] ?? '')
  })
  return statement.finish()
}

/** Appends fragments in time linear in their size. @throws StoreError `complex` beyond `maxStatementSize` */
class Builder {
  readonly #strings: string[]
  readonly #params: Param[] = []
  #size: number

  constructor(start: string) {
    this.#strings = [start]
    this.#size = start.length
  }

  write(text: string): void {
    this.#strings[this.#strings.length - 1] += text
    this.#size += text.length
  }

  bind(param: Param): void {
    this.#params.push(param)
    this.#strings.push('')
    this.#grow(paramSize)
  }

  splice({ strings, params, size }: Sql): void {
    this.#grow(size)
    this.#strings[this.#strings.length - 1] += strings[0] ?? ''
    for (let index = 1; index < strings.length; index++) this.#strings.push(strings[index] ?? '')
    for (const param of params) this.#params.push(param)
  }

  #grow(size: number): void {
    this.#size += size
    if (this.#size > maxStatementSize) throw new StoreError('complex', `a statement is longer than ${maxStatementSize} characters`)
  }

  finish(): Sql {
    return { [brand]: true, strings: this.#strings, params: this.#params, size: this.#size }
  }
}

/** Binds a value. */
export function bind(type: ParamType, value: ParamValue): Param {
  return { type, value }
}

/** Joins statements with a separator; empty for no parts. Takes time linear in the size of the result. */
export function join(parts: readonly Sql[], separator: Sql): Sql {
  const statement = new Builder('')
  parts.forEach((part, index) => {
    if (index > 0) statement.splice(separator)
    statement.splice(part)
  })
  return statement.finish()
}

/** Renders the text and numbers the parameters in order of appearance. */
export function render(statement: Sql): RenderedSql {
  const params: Record<string, ParamValue> = {}
  let text = statement.strings[0] ?? ''
  statement.params.forEach((param, index) => {
    params[`p${index}`] = param.value
    text += `{p${index}:${param.type}}${statement.strings[index + 1] ?? ''}`
  })
  return { text, params }
}

/** A statement from trusted text of this package, such as a table definition. Not exported by the package. */
export function ownSql(text: string): Sql {
  return new Builder(text).finish()
}
