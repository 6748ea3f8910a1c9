/** The permitted tokens. It is consulted once per token. */
export type Constraint =
  | JsonConstraint
  /**
   * One call; with `parallel`, one after another. With `otherwise` an answer may replace them: JSON, or text, in which `open` begins calls (empty:
   * the JSON of a call is the whole answer).
   */
  | {
      kind: 'tool-call'
      tools: readonly ToolSchema[]
      format: ToolCallFormat
      parallel: boolean
      otherwise?: JsonConstraint | { kind: 'text'; open: string }
    }

/** Numbers of schemas are those of JavaScript, and of type `bigint` where these cannot count them. */
export type JsonConstraint = { kind: 'json-object' } | { kind: 'json-schema'; schema: unknown }

export interface ToolSchema {
  name: string
  /** JSON Schema of the arguments; null takes any object. */
  parameters: unknown
  /** True: a keyword of `parameters` that cannot be enforced is an error. False: it is passed over. */
  strict: boolean
}

/**
 * The texts around the parts of calls, as the chat template of the model writes them: preamble, then for each call begin, name, middle, arguments, and end,
 * perhaps with an id, with separators between; then the epilogue. Special tokens by their names.
 */
export interface ToolCallFormat {
  /** Before the first call alone. */
  preamble: string
  begin: string
  middle: string
  /** The text `before` and `length` letters and digits, after the name or after the arguments. Null if calls have no id. */
  id: { before: string; length: number; behind: 'name' | 'arguments' } | null
  end: string
  /** Between two calls; null where a message has one call alone. */
  separator: string | null
  /** Behind the last call. */
  epilogue: string
}
