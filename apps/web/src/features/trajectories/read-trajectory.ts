import { isJsonNumber } from '@heddle/json/exact'
import { toText } from '../../lib/texts/to-text.ts'
import type { ShownTrajectory } from './trajectory-queries.ts'

/** A token of a choice. Null: its log-probability was not computed. */
export interface SampledToken {
  token: string
  logprob: number | null
}

/** A message of a trajectory, for display. */
export interface TrajectoryMessage {
  role: string
  text: string
  /** Tools that the message calls, with their arguments as text. */
  calls: { name: string; text: string }[]
  /** Name of the tool whose result the message is; undefined for other messages. */
  resultOf: string | undefined
  /** The policy sampled it. */
  isSampled: boolean
  /** It ended at the maximum of tokens. */
  isCut: boolean
  tokens: SampledToken[]
}

/** The conversations of a trajectory in their order: the first is its main history, the rest are additional ones. */
export function readHistories({ messages }: Pick<ShownTrajectory, 'messages'>): TrajectoryMessage[][] {
  const histories: TrajectoryMessage[][] = []
  let number: unknown = 0
  const names = new Map<string, string>()
  for (const message of messages) {
    if (histories.length === 0 || message['history'] !== number) histories.push([])
    number = message['history']
    noteCalls(names, message['tool_calls'])
    histories.at(-1)?.push(toMessage(message, names))
  }
  return histories
}

function noteCalls(names: Map<string, string>, calls: unknown): void {
  if (!Array.isArray(calls)) return
  for (const call of calls as unknown[]) {
    const { id } = Object(call) as { id?: unknown }
    if (typeof id === 'string') names.set(id, toCall(call).name)
  }
}

function toMessage(message: Readonly<Record<string, unknown>>, names: ReadonlyMap<string, string>): TrajectoryMessage {
  const { role, content, tool_calls: calls, tool_call_id: id, trainable, finish_reason, sampled_tokens } = message
  return {
    role: typeof role === 'string' ? role : 'message',
    text: textOf(content),
    calls: Array.isArray(calls) ? calls.map(toCall) : [],
    resultOf: typeof id === 'string' ? (names.get(id) ?? id) : undefined,
    isSampled: trainable === true,
    isCut: finish_reason === 'length',
    tokens: Array.isArray(sampled_tokens) ? sampled_tokens.map(toToken) : [],
  }
}

function textOf(content: unknown): string {
  if (content === null || content === undefined) return ''
  if (!Array.isArray(content)) return toText(content)
  return content.map((part: unknown) => textOfPart(part)).join('\n')
}

function textOfPart(part: unknown): string {
  const { text } = Object(part) as { text?: unknown }
  return typeof text === 'string' ? text : toText(part)
}

function toCall(call: unknown): { name: string; text: string } {
  const { function: called } = Object(call) as { function?: unknown }
  const { name, arguments: text } = Object(called) as { name?: unknown; arguments?: unknown }
  return typeof name === 'string' ? { name, text: toText(text ?? '') } : { name: 'tool', text: toText(call) }
}

function toToken(value: unknown): SampledToken {
  const { token, logprob } = Object(value) as { token?: unknown; logprob?: unknown }
  return {
    token: typeof token === 'string' ? token : '',
    logprob: typeof logprob === 'number' ? logprob : isJsonNumber(logprob) ? Number(logprob) : null,
  }
}
