import type { ToolCallFormat } from '../engine/engine.ts'
import type { RenderConversation, TemplateMessage } from './conversation.ts'

/** How a chat template writes calls. */
export interface TemplateCalls extends ToolCallFormat {
  /** Texts that begin and end what is around the JSON of a call, such as `<tool_call>` and `</tool_call>`; empty when the JSON is alone. */
  open: string
  close: string
  /** True when the template writes arguments that are text as they are; else it expects them as an object. */
  takesText: boolean
  /** Letters and digits of the ids that the template takes; null: any text. */
  idLength: number | null
}

const names = ['probe_first', 'probe_second'] as const
const argumentsText = '{"probe_key":1}'
const writtenArguments = /\{"probe_key":\s*1\}/

interface Probe {
  takesText: boolean
  idLength: number | null
}

const probes: readonly Probe[] = [true, false].flatMap((takesText) => [null, 9].map((idLength) => ({ takesText, idLength })))
const shortIds = ['pR0bEfrst', 'pR0bEscnd'] as const

export interface FormatOptions {
  render: RenderConversation
  /** Names of special tokens: the first of them behind a call ends the turn. */
  specialTexts: readonly string[]
}

/**
 * Finds out how a template writes calls by rendering one, and then two together, which some templates refuse. Null when it writes none, or in no form of one
 * JSON object a call.
 */
export function findToolCallFormat({ render, specialTexts }: FormatOptions): TemplateCalls | null {
  for (const probe of probes) {
    const [one, two] = [renderCalls(render, probe, 1), renderCalls(render, probe, 2)]
    const found = (two && readTwo(two, probe, specialTexts)) ?? (one && readOne(one, probe, specialTexts))
    if (found) return found
  }
  return null
}

/** What a message with calls adds to the prompt, and what ends a message without. */
interface RenderedCalls {
  text: string
  turnEnd: string
}

function renderCalls(render: RenderConversation, { takesText, idLength }: Probe, count: 1 | 2): RenderedCalls | null {
  const calls = names.slice(0, count).map((name, index) => ({
    id: idLength === null ? `call_${index}` : shortIds[index],
    type: 'function',
    function: { name, arguments: takesText ? argumentsText : (JSON.parse(argumentsText) as unknown) },
  }))
  const tools = names.map((name) => ({
    type: 'function',
    function: { name, description: '', parameters: { type: 'object', properties: {} } },
  }))
  const user: TemplateMessage = { role: 'user', content: 'hi' }
  try {
    const before = render({ messages: [user], tools, addGenerationPrompt: true })
    const all = render({ messages: [user, { role: 'assistant', content: '', tool_calls: calls }], tools })
    const plain = render({ messages: [user, { role: 'assistant', content: 'ok' }], tools })
    if (!all.startsWith(before)) return null
    return { text: all.slice(before.length), turnEnd: plain.slice(plain.lastIndexOf('ok') + 'ok'.length) }
  } catch {
    return null
  }
}

function readTwo({ text, turnEnd }: RenderedCalls, probe: Probe, specialTexts: readonly string[]): TemplateCalls | null {
  const [first, second] = names.map((name) => readCall(text, name))
  if (!first || !second || second.nameStart < first.argumentsEnd) return null
  const opening = text.slice(0, first.nameStart)
  const between = takeId(text.slice(first.argumentsEnd, second.nameStart), shortIds[0])
  const after = takeId(cutTurnEnd(text.slice(second.argumentsEnd), turnEnd, specialTexts), shortIds[1])
  const end = commonStart(between.behind, after.behind)
  const toNext = between.behind.slice(end.length)
  const begin = commonEnd(opening, toNext).trimStart()
  if (!begin.includes('{')) return null
  return toFormat({
    preamble: opening.slice(0, opening.length - begin.length),
    begin,
    middle: text.slice(first.nameEnd, first.argumentsStart),
    idBefore: between.before,
    end,
    separator: toNext.slice(0, toNext.length - begin.length),
    epilogue: after.behind.slice(end.length),
    probe,
  })
}

function readOne({ text, turnEnd }: RenderedCalls, probe: Probe, specialTexts: readonly string[]): TemplateCalls | null {
  const call = readCall(text, names[0])
  if (!call) return null
  const opening = text.slice(0, call.nameStart)
  const after = takeId(cutTurnEnd(text.slice(call.argumentsEnd), turnEnd, specialTexts), shortIds[0])
  const preamble = /^[^]*<\/(?:think|thinking|reasoning)>\s*/.exec(opening)?.[0] ?? ''
  const begin = opening.slice(preamble.length)
  const middle = text.slice(call.nameEnd, call.argumentsStart)
  return toFormat({ preamble, begin, middle, idBefore: after.before, end: after.behind, separator: null, epilogue: '', probe })
}

interface FormatParts extends Omit<ToolCallFormat, 'id'> {
  /** Null without an id. */
  idBefore: string | null
  probe: Probe
}

/** Null when a call is no JSON object by itself. */
function toFormat({ idBefore, probe, ...format }: FormatParts): TemplateCalls | null {
  const { preamble, begin, end, epilogue } = format
  const brace = begin.indexOf('{')
  if (brace < 0 || !end.includes('}') || [preamble, begin, format.middle].some((text) => shortIds.some((id) => text.includes(id))))
    return null
  const answer = preamble.replace(/^[^]*<\/(?:think|thinking|reasoning)>/, '')
  const open = (answer + begin.slice(0, brace)).trim()
  // Calls in one list: the brackets belong to the JSON.
  const isList = open.endsWith('[') && epilogue.trimStart().startsWith(']')
  const behind = isList ? epilogue.slice(epilogue.indexOf(']') + 1) : end.slice(end.lastIndexOf('}') + 1)
  return {
    ...format,
    id: idBefore === null ? null : { before: idBefore, length: shortIds[0].length },
    open: isList ? open.slice(0, -1).trim() : open,
    close: behind.trim(),
    ...probe,
  }
}

function takeId(text: string, id: string): { before: string | null; behind: string } {
  const at = text.indexOf(id)
  return at < 0 ? { before: null, behind: text } : { before: text.slice(0, at), behind: text.slice(at + id.length) }
}

/** What is behind the calls without the end of the turn: that of a message without calls, or from the first special token on. */
function cutTurnEnd(text: string, turnEnd: string, specialTexts: readonly string[]): string {
  if (turnEnd !== '' && text.endsWith(turnEnd)) return text.slice(0, -turnEnd.length)
  const places = specialTexts.map((special) => (special === '' ? -1 : text.indexOf(special))).filter((at) => at >= 0)
  return places.length === 0 ? text : text.slice(0, Math.min(...places))
}

function readCall(text: string, name: string) {
  const nameStart = text.indexOf(name)
  if (nameStart < 0) return null
  const nameEnd = nameStart + name.length
  const found = writtenArguments.exec(text.slice(nameEnd))
  if (found === null) return null
  const argumentsStart = nameEnd + found.index
  return { nameStart, nameEnd, argumentsStart, argumentsEnd: argumentsStart + found[0].length }
}

function commonStart(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return a.slice(0, length)
}

function commonEnd(a: string, b: string): string {
  let length = 0
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) length += 1
  return a.slice(a.length - length)
}

/** The messages with the arguments of calls as objects, for a template that does not take text. Text that is not JSON stays as it is. */
export function withArgumentObjects(messages: readonly TemplateMessage[]): TemplateMessage[] {
  return messages.map((message) => {
    const calls = message['tool_calls']
    return Array.isArray(calls) ? { ...message, tool_calls: calls.map(withArgumentObject) } : message
  })
}

function withArgumentObject(call: unknown): unknown {
  const { function: called } = (call ?? {}) as { function?: { arguments?: unknown } }
  if (typeof called?.arguments !== 'string') return call
  try {
    return { ...(call as object), function: { ...called, arguments: JSON.parse(called.arguments) as unknown } }
  } catch {
    return call
  }
}
