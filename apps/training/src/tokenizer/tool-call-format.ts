import { parseJson } from '@heddle/json'
import type { ToolCallFormat } from '../constrained/constraint.ts'
import type { RenderConversation, TemplateMessage } from './conversation.ts'

/** How a chat template renders tool calls. */
export interface TemplateCalls extends ToolCallFormat {
  /** `object`: a call is one JSON object with its name and its arguments. `apart`: the name is written before the JSON of the arguments. */
  form: 'object' | 'apart'
  /**
   * Texts that begin and end the part around the JSON of a call, such as `<tool_call>` and `</tool_call>`; empty if there is only JSON. If the name
   * is separate, everything before the name of the first call, and after the arguments.
   */
  open: string
  close: string
  /** True if the template renders arguments given as text unchanged; otherwise it expects an object. */
  takesText: boolean
  /** Number of letters and digits in the ids that the template accepts; null: any text. */
  idLength: number | null
}

const names = ['probe_first', 'probe_second', 'probe_third'] as const
const argumentsText = '{"probe_key":1}'
const writtenArguments = /\{\s*"probe_key":\s*1\s*\}/

interface Probe {
  takesText: boolean
  idLength: number | null
}

const probes: readonly Probe[] = [true, false].flatMap((takesText) => [null, 9].map((idLength) => ({ takesText, idLength })))
const shortIds = ['pR0bEfrst', 'pR0bEscnd', 'pR0bEthrd'] as const

export interface FormatOptions {
  render: RenderConversation
  /** Names of special tokens: the first of them behind a call ends the turn. */
  specialTexts: readonly string[]
}

/** A template whose calls cannot be generated or parsed. */
export class NoToolCalls {
  /** What the template does instead, such as `writes no calls`. */
  readonly reason: string
  /** As of `TemplateCalls`, for calls that are in a conversation already. */
  readonly takesText: boolean

  constructor(reason: string, takesText: boolean) {
    this.reason = reason
    this.takesText = takesText
  }
}

/** Infers how a template renders calls by rendering one, and then two together, which some templates refuse. */
export function findToolCallFormat({ render, specialTexts }: FormatOptions): TemplateCalls | NoToolCalls {
  let isNameWritten = false
  for (const probe of probes) {
    const [one, two, three] = [renderCalls(render, probe, 1), renderCalls(render, probe, 2), renderCalls(render, probe, 3)]
    const several = two && readTwo(two, probe, specialTexts)
    const found = several && (!three || isWritten(three, several, specialTexts)) ? several : one && readOne(one, probe, specialTexts)
    if (found) return found
    isNameWritten ||= one?.text.includes(names[0]) === true
  }
  const reason = isNameWritten ? 'writes calls in another form than a name with arguments in JSON' : 'writes no calls'
  return new NoToolCalls(reason, takesArgumentsAsText(render))
}

/** Text is also accepted if it is written unchanged, or if an object is refused. */
function takesArgumentsAsText(render: RenderConversation): boolean {
  const [text, object] = [true, false].map((takesText) => renderCalls(render, { takesText, idLength: shortIds[0].length }, 1)?.text ?? null)
  return object === null || text?.includes(argumentsText) === true
}

/** The text that a message with calls adds to the prompt, and the text that ends a message without calls. */
interface RenderedCalls {
  text: string
  turnEnd: string
}

function renderCalls(render: RenderConversation, { takesText, idLength }: Probe, count: 1 | 2 | 3): RenderedCalls | null {
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
    const text = behindPrompt(all, before)
    if (text === null) return null
    return { text, turnEnd: plain.slice(plain.lastIndexOf('ok') + 'ok'.length) }
  } catch {
    return null
  }
}

const openedReasoning = /<(think|thinking|reasoning)>\s*(<\/\1>\s*)?$/

/** The model's text after the prompt; null if the template rewrites the prompt. Reasoning opened only by the prompt is closed again. */
function behindPrompt(all: string, prompt: string): string | null {
  if (all.startsWith(prompt)) return all.slice(prompt.length)
  const opened = openedReasoning.exec(prompt)
  if (!opened || !all.startsWith(prompt.slice(0, opened.index))) return null
  const rest = all.slice(opened.index)
  return opened[2] === undefined ? `</${opened[1]}>\n\n${rest}` : rest
}

function readTwo({ text, turnEnd }: RenderedCalls, probe: Probe, specialTexts: readonly string[]): TemplateCalls | null {
  const [first, second] = [readCall(text, names[0]), readCall(text, names[1])]
  if (!first || !second || second.nameStart < first.argumentsEnd) return null
  const opening = text.slice(0, first.nameStart)
  const between = takeId(text.slice(first.argumentsEnd, second.nameStart), shortIds[0])
  const after = takeId(cutTurnEnd(text.slice(second.argumentsEnd), turnEnd, specialTexts), shortIds[1])
  const end = withoutOpenTag(commonStart(between.behind, after.behind))
  const toNext = between.behind.slice(end.length)
  const begin = withoutTagEnd(commonEnd(opening, toNext)).trimStart()
  return toFormat({
    preamble: opening.slice(0, opening.length - begin.length),
    begin,
    middle: text.slice(first.nameEnd, first.argumentsStart),
    idAfter: between.before,
    end,
    separator: toNext.slice(0, toNext.length - begin.length),
    epilogue: after.behind.slice(end.length),
    probe,
  })
}

/** Whether three calls are written in this format: a template that numbers its calls has another text for each. */
function isWritten({ text, turnEnd }: RenderedCalls, format: TemplateCalls, specialTexts: readonly string[]): boolean {
  const { preamble, begin, middle, id, end, separator, epilogue } = format
  const written = names.map((name, index) => {
    const idText = id === null ? '' : id.before + shortIds[index]!
    const call = readCall(text, name)
    const given = call === null ? '' : text.slice(call.argumentsStart, call.argumentsEnd)
    const [behindName, behindArguments] = id?.behind === 'name' ? [idText, ''] : ['', idText]
    return `${begin}${name}${behindName}${middle}${given}${behindArguments}${end}`
  })
  return cutTurnEnd(text, turnEnd, specialTexts) === `${preamble}${written.join(separator ?? '')}${epilogue}`
}

function readOne({ text, turnEnd }: RenderedCalls, probe: Probe, specialTexts: readonly string[]): TemplateCalls | null {
  const call = readCall(text, names[0])
  if (!call) return null
  const opening = text.slice(0, call.nameStart)
  const after = takeId(cutTurnEnd(text.slice(call.argumentsEnd), turnEnd, specialTexts), shortIds[0])
  const preamble = /^[^]*<\/(?:think|thinking|reasoning)>\s*/.exec(opening)?.[0] ?? ''
  const begin = opening.slice(preamble.length)
  const middle = text.slice(call.nameEnd, call.argumentsStart)
  return toFormat({ preamble, begin, middle, idAfter: after.before, end: after.behind, separator: null, epilogue: '', probe })
}

interface FormatParts extends Omit<ToolCallFormat, 'id'> {
  /** The text between the arguments and an id; null without one. */
  idAfter: string | null
  probe: Probe
}

/** Null if calls have no beginning that distinguishes them from text, or if an id cannot be derived. */
function toFormat({ idAfter, probe, ...format }: FormatParts): TemplateCalls | null {
  const behindName = takeId(format.middle, shortIds[0])
  const isBehindName = behindName.before !== null
  const middle = isBehindName ? behindName.behind : format.middle
  const before = isBehindName ? behindName.before : idAfter
  const id = before === null ? null : ({ before, length: shortIds[0].length, behind: isBehindName ? 'name' : 'arguments' } as const)
  const around = /[{}]/.test(format.begin + format.end) ? aroundObject(format) : id?.behind === 'arguments' ? null : aroundName(format)
  if (around === null || [format.preamble, format.begin, middle].some((text) => shortIds.some((each) => text.includes(each)))) return null
  return { ...format, middle, id, ...around, ...probe }
}

type Around = Pick<TemplateCalls, 'form' | 'open' | 'close'>

/** Null where the object has no member `name`, or another one between it and the arguments. */
function aroundObject({ preamble, begin, middle, end, epilogue }: Omit<FormatParts, 'idAfter' | 'probe'>): Around | null {
  if (!/^[^{}]*\{\s*"name":\s*"$/.test(begin) || !/^",\s*"\w+":\s*$/.test(middle) || !end.includes('}')) return null
  const answer = preamble.replace(reasoningEnd, '')
  const open = (answer + begin.slice(0, begin.indexOf('{'))).trim()
  // Calls in one list: the brackets belong to the JSON.
  const isList = open.endsWith('[') && epilogue.trimStart().startsWith(']')
  const behind = isList ? epilogue.slice(epilogue.indexOf(']') + 1) : end.slice(end.lastIndexOf('}') + 1)
  return { form: 'object', open: isList ? open.slice(0, -1).trim() : open, close: behind.trim() }
}

function aroundName({ preamble, begin, end }: Omit<FormatParts, 'idAfter' | 'probe'>): Around | null {
  if (!/\S/.test(begin)) return null
  return { form: 'apart', open: (preamble.replace(reasoningEnd, '') + begin).trim(), close: end.trim() }
}

const reasoningEnd = /^[^]*<\/(?:think|thinking|reasoning)>/

function takeId(text: string, id: string): { before: string | null; behind: string } {
  const at = text.indexOf(id)
  return at < 0 ? { before: null, behind: text } : { before: text.slice(0, at), behind: text.slice(at + id.length) }
}

/** The text after the calls without the end of the turn: that of a message without calls, or everything from the first special token on. */
function cutTurnEnd(text: string, turnEnd: string, specialTexts: readonly string[]): string {
  if (turnEnd !== '' && text.endsWith(turnEnd)) return text.slice(0, text.indexOf(turnEnd))
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

/** Tags with a common prefix, such as `<call>` and `<calls>`, are not split. */
function withoutOpenTag(text: string): string {
  const open = text.lastIndexOf('<')
  return open > text.lastIndexOf('>') ? text.slice(0, open) : text
}

function withoutTagEnd(text: string): string {
  const [open, close] = [text.indexOf('<'), text.indexOf('>')]
  return open > close && close >= 0 ? text.slice(open) : text
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

/**
 * The messages with the arguments of calls as objects, for a template that does not accept text. Their numbers keep their written form; text that is
 * not JSON is unchanged.
 */
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
    return { ...(call as object), function: { ...called, arguments: parseJson(called.arguments) } }
  } catch {
    return call
  }
}
