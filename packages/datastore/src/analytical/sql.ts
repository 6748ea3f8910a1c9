/** A bound value. It travels beside the statement and never becomes part of its text. */
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
  | 'Array(Float64)'
  | 'Array(Tuple(String, String))'
  | 'Identifier'
export type ParamValue = string | number | bigint | boolean | null | readonly ParamValue[]

const brand = Symbol('sql')

/** A statement or a piece of one. Only the `sql` tag makes it, so text from a request cannot become one. */
export interface Sql {
  readonly [brand]: true
  readonly strings: readonly string[]
  readonly params: readonly Param[]
}

/** A statement as it is sent: `{p0:String}` in the text stands for the parameter `p0`. */
export interface RenderedSql {
  text: string
  params: Record<string, ParamValue>
}

/** Builds a statement. Interpolated statements are spliced in; bound values become parameters; nothing else can be interpolated. */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Sql | Param)[]): Sql {
  const texts = [strings[0] ?? '']
  const params: Param[] = []
  parts.forEach((part, index) => {
    const after = strings[index + 1] ?? ''
    if (brand in part) {
      texts[texts.length - 1] += part.strings[0] ?? ''
      texts.push(...part.strings.slice(1))
      texts[texts.length - 1] += after
      params.push(...part.params)
    } else {
      texts.push(after)
      params.push(part)
    }
  })
  return { [brand]: true, strings: texts, params }
}

/** Binds a value. */
export function bind(type: ParamType, value: ParamValue): Param {
  return { type, value }
}

/** Puts a separator between statements; empty for none. */
export function join(parts: readonly Sql[], separator: Sql): Sql {
  return parts.reduce((all, part, index) => (index === 0 ? part : sql`${all}${separator}${part}`), sql``)
}

/** Numbers the parameters in the order in which they stand. */
export function render(statement: Sql): RenderedSql {
  const params: Record<string, ParamValue> = {}
  let text = statement.strings[0] ?? ''
  statement.params.forEach((param, index) => {
    params[`p${index}`] = param.value
    text += `{p${index}:${param.type}}${statement.strings[index + 1] ?? ''}`
  })
  return { text, params }
}

/** A statement made of text of this package, such as a table's definition. Not part of the package's surface. */
export function ownSql(text: string): Sql {
  return { [brand]: true, strings: [text], params: [] }
}
