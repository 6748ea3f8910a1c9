import { valueAt } from '@heddle/core-api/internal'
import { type Message, readConversation } from '@heddle/trace-model'

/** A value of a call that an annotator sees, by its path. */
export interface ShownValue {
  path: string
  /** Undefined where the call has no such value. */
  value: unknown
}

const standardPaths = ['inputs', 'output', 'exception']

/** The values that a queue shows of a call: those of its display fields, or inputs, output and exception where it has none. */
export function shownValues(call: Readonly<Record<string, unknown>>, displayFields: readonly string[]): ShownValue[] {
  const paths = displayFields.length > 0 ? displayFields : standardPaths
  const values = paths.map((path) => ({ path, value: valueAt(call, nameOf(path)) }))
  return displayFields.length > 0 ? values : values.filter(({ value }) => value !== undefined && value !== null)
}

/**
 * The messages that a shown value consists of: those of the whole call for its input or output, or those below a path. None for any other value.
 */
export function messagesOf(call: Readonly<Record<string, unknown>>, { path, value }: ShownValue): readonly Message[] {
  const [side] = nameOf(path).split('.')
  const isWhole = nameOf(path) === side
  if (side === 'inputs') return readConversation(isWhole ? call : { inputs: value }).input
  return side === 'output' ? readConversation(isWhole ? call : { output: value }).output : []
}

const titles: Readonly<Record<string, string>> = { inputs: 'Input', output: 'Output', exception: 'Error' }

/**
 * The name of a shown value in words: `Input: question` for `inputs.question`. What evaluations put around the input of a row is left out. Other
 * paths are their own names.
 */
export function titleOfPath(path: string): string {
  const [side = '', ...below] = nameOf(path).split('.')
  const title = titles[side]
  if (title === undefined) return path
  const names = side === 'inputs' && below[0] === 'inputs' ? below.slice(1) : below
  return names.length === 0 ? title : `${title}: ${names.join('.')}`
}

/** Queues of other programs write `input` for `inputs`. */
const nameOf = (path: string) => path.replace(/^input(?=\.|$)/, 'inputs')
