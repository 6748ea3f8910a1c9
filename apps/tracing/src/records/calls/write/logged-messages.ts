import type { CallRow, Micros } from '@heddle/datastore'
import { parseJson, writeJson } from '@heddle/json'
import { fillRawSpan } from '../../../payload/raw-span-text.ts'
import { collectRefs } from '../../../payload/collect-refs.ts'

/** Messages of a call that were sent as log records. JSON texts of lists, each message with `time_unix_nano`. */
export interface LoggedMessages {
  trace_id: string
  /** When the newest was logged. */
  at: Micros
  input: string
  output: string
}

/** Names under which a call keeps messages that were sent as log records. */
const inputName = 'events.gen_ai.messages'
const outputName = 'events.gen_ai.choice'

/**
 * Adds logged messages to a call: in the order of their times, each once. Inputs or output of the span itself take precedence. A call whose span has
 * not arrived keeps them until it does.
 */
export function withLoggedMessages(row: CallRow, { trace_id, at, input, output }: LoggedMessages): CallRow {
  const waiting = row.has_start === 0
  const inputs = joined(row.inputs, inputName, input) ?? row.inputs
  const outputs = joined(row.output, outputName, output) ?? row.output
  return {
    ...row,
    ...(waiting && { trace_id: row.trace_id || trace_id, started_at: row.started_at || at, ended_at: row.ended_at ?? at }),
    inputs,
    output: outputs,
    input_refs: inputs === row.inputs ? row.input_refs : collectRefs(parseJson(inputs)),
    output_refs: outputs === row.output ? row.output_refs : collectRefs(parseJson(outputs)),
    // The raw span may repeat the replaced messages.
    otel: fillRawSpan(row.otel, row),
  }
}

/** The parts of a stored call that are kept when its span arrives, possibly again: logged messages, if the span has none itself. */
export function keptMessages(stored: CallRow, sent: Pick<CallRow, 'inputs' | 'output'>): Partial<CallRow> {
  const { inputs, output, input_refs, output_refs } = stored
  return {
    ...(isSilent(sent.inputs) && holds(inputs, inputName) && { inputs, input_refs }),
    ...(isSilent(sent.output) && holds(output, outputName) && { output, output_refs }),
  }
}

/** JSON texts of what holds no value of a span. */
const isSilent = (text: string) => text === '{}' || text === 'null' || text === ''

/** True for an object whose first member has that name, as only calls with logged messages, or with the same events on their span, have. */
const holds = (text: string, name: string) => text.startsWith(`{"${name}":`)

/** The messages of a call with further ones; undefined if there is nothing to add, or the span itself has messages. */
function joined(stored: string, name: string, added: string): string | undefined {
  const messages = parseJson(added) as Message[]
  if (messages.length === 0 || !(isSilent(stored) || holds(stored, name))) return undefined
  const before = holds(stored, name) ? ((parseJson(stored) as Record<string, Message[]>)[name] ?? []) : []
  // Events of the span itself have no time.
  if (!before.every(isLogged)) return undefined
  const all = new Map([...before, ...messages].map((message) => [writeJson(message), message]))
  return writeJson({ [name]: [...all.values()].sort(byTime) })
}

interface Message {
  time_unix_nano?: unknown
}

const isLogged = ({ time_unix_nano: time }: Message) => typeof time === 'string' && /^\d{1,20}$/.test(time)

/** Equal ones keep their order. */
function byTime(one: Message, other: Message): number {
  const [before, after] = [one, other].map(({ time_unix_nano: time }) => BigInt(time as string)) as [bigint, bigint]
  return before === after ? 0 : before < after ? -1 : 1
}
