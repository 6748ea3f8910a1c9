import { v4 as newUuid } from 'uuid'
import type { JsonObject } from '@heddle/core-api'
import { isJsonObject, parseObject } from '../json-values.ts'

/** The text that the chunks of one stream share, apart from the values of a few fields. */
export interface ChunkTemplate {
  /** The texts of those values; undefined for a chunk that differs elsewhere. */
  match(data: string): string[] | undefined
  /**
   * One chunk equivalent to all chunks with these values, concatenated in order; undefined if a value is not JSON. `values` holds the values of every
   * chunk in a row.
   */
  join(values: readonly string[]): JsonObject | undefined
  /** The texts of those chunks. */
  write(values: readonly string[]): string[]
}

type Field = 'delta' | 'logprobs' | 'token_ids' | 'obfuscation'

/** A field whose value differs from chunk to chunk, from `start` to before `end`: the inside of a text or of a list. */
interface Slot {
  field: Field
  isText: boolean
  start: number
  end: number
}

const openings: readonly { field: Field; isText: boolean; opening: RegExp }[] = [
  { field: 'delta', isText: true, opening: /"(?:content|reasoning|reasoning_content)":\s*"/ },
  { field: 'logprobs', isText: false, opening: /"content":\s*\[/ },
  { field: 'token_ids', isText: false, opening: /"token_ids":\s*\[/ },
  { field: 'obfuscation', isText: true, opening: /"obfuscation":\s*"/ },
]

/**
 * Placeholder for a value while the template is checked, and separator between lists that are parsed together. Random, so that no endpoint can send
 * it.
 */
const mark = newUuid().slice(0, 8)

/** The template of chunks like this one, which `data` is the text of. Undefined where it is more than a piece of the text of one choice. */
export function toChunkTemplate(data: string, chunk: JsonObject): ChunkTemplate | undefined {
  if (!isPieceOfText(chunk)) return undefined
  const slots = openings.flatMap(({ opening, ...slot }) => findSlot(data, opening, slot)).toSorted((a, b) => a.start - b.start)
  const literals = slots.map(({ start }, index) => data.slice(slots[index - 1]?.end ?? 0, start))
  literals.push(data.slice(slots.at(-1)?.end ?? 0))
  const marked = parseObject(literals.map((literal, index) => literal + markOf(slots[index])).join(''))
  if (!marked || !areInPlace(slots, marked)) return undefined
  return {
    match: (text) => matchLiterals(text, literals, slots),
    join: (values) => joinChunks(marked, slots, values),
    write: (values) => writeChunks(literals, values),
  }
}

function markOf(slot: Slot | undefined): string {
  if (!slot) return ''
  return slot.isText ? mark : `"${mark}"`
}

/**
 * A chunk of one choice that extends one of its texts and has no other fields to accumulate. The first chunk of a stream is mostly empty and has
 * another form.
 */
function isPieceOfText({ choices }: JsonObject): boolean {
  const [piece, ...others]: unknown[] = Array.isArray(choices) ? choices : []
  if (others.length > 0 || !isJsonObject(piece) || Array.isArray(piece['prompt_token_ids'])) return false
  const { delta, logprobs } = piece
  if (!isJsonObject(delta)) return false
  const said = Object.entries(delta).filter(([key, value]) => value !== null && key !== 'role')
  const other = isJsonObject(logprobs) ? Object.entries(logprobs).filter(([key]) => key !== 'content') : []
  return said.length === 1 && typeof said[0]?.[1] === 'string' && said[0][1] !== '' && other.every(([, value]) => !Array.isArray(value))
}

function findSlot(data: string, opening: RegExp, slot: Pick<Slot, 'field' | 'isText'>): Slot[] {
  const found = opening.exec(data)
  if (!found) return []
  const start = found.index + found[0].length
  const end = slot.isText ? endOfText(data, start) : endOfList(data, start)
  return end < 0 || (!slot.isText && end === start) ? [] : [{ ...slot, start, end }]
}

const codes = { quote: 34, open: 91, backslash: 92, close: 93 }

/** Index of the quote that ends the text; -1 if there is none. */
function endOfText(data: string, start: number): number {
  for (let end = data.indexOf('"', start); end >= 0; end = data.indexOf('"', end + 1)) {
    let escapes = 0
    while (data.charCodeAt(end - 1 - escapes) === codes.backslash) escapes++
    if (escapes % 2 === 0) return end
  }
  return -1
}

function endOfList(data: string, start: number): number {
  let depth = 0
  for (let at = start; at < data.length; at++) {
    const code = data.charCodeAt(at)
    if (code === codes.quote) {
      at = endOfText(data, at + 1)
      if (at < 0) return -1
    } else if (code === codes.open) depth++
    else if (code === codes.close && depth-- === 0) return at
  }
  return -1
}

/** Whether the marks are found in the expected fields and no other field accumulates. */
function areInPlace(slots: readonly Slot[], marked: JsonObject): boolean {
  const { delta, logprobs, token_ids: tokens } = pieceOf(marked)
  const has = (field: Field) => slots.some((slot) => slot.field === field)
  const isMarked = (list: unknown) => Array.isArray(list) && list.length === 1 && list[0] === mark
  const entries = isJsonObject(logprobs) ? logprobs['content'] : undefined
  return (
    isJsonObject(delta) &&
    Object.values(delta).includes(mark) &&
    (has('logprobs') ? isMarked(entries) : !Array.isArray(entries)) &&
    (has('token_ids') ? isMarked(tokens) : !Array.isArray(tokens)) &&
    (!has('obfuscation') || marked['obfuscation'] === mark)
  )
}

function pieceOf({ choices }: JsonObject): JsonObject {
  const [piece]: unknown[] = Array.isArray(choices) ? choices : []
  return isJsonObject(piece) ? piece : {}
}

/** Texts are compared as slices: `startsWith` compares letter by letter. */
function matchLiterals(data: string, literals: readonly string[], slots: readonly Slot[]): string[] | undefined {
  const [head = ''] = literals
  if (data.slice(0, head.length) !== head) return undefined
  const values: string[] = []
  let at = head.length
  for (let index = 0; index < slots.length; index++) {
    const isText = slots[index]!.isText
    const next = literals[index + 1]!
    const end = isText ? endOfText(data, at) : endOfValue(data, next, { at, isLast: index === slots.length - 1 })
    if (end < at || (end === at && !isText) || data.slice(end, end + next.length) !== next) return undefined
    values.push(data.slice(at, end))
    at = end + next.length
  }
  return at === data.length ? values : undefined
}

/** A list ends where the text after it begins; a longer list would not parse as JSON up to that point. */
function endOfValue(data: string, next: string, { at, isLast }: { at: number; isLast: boolean }): number {
  return isLast ? data.length - next.length : data.indexOf(next, at)
}

function joinChunks(marked: JsonObject, slots: readonly Slot[], all: readonly string[]): JsonObject | undefined {
  const piece = { ...pieceOf(marked) }
  for (const [index, { field, isText }] of slots.entries()) {
    const values = all.filter((_, at) => at % slots.length === index)
    const joined = isText ? joinTexts(values) : joinLists(values)
    if (joined === undefined) return undefined
    if (field === 'delta') piece['delta'] = withText(piece['delta'], joined)
    else if (field === 'logprobs') piece['logprobs'] = { ...(piece['logprobs'] as JsonObject), content: joined }
    else if (field === 'token_ids') piece['token_ids'] = joined
  }
  return { ...marked, choices: [piece] }
}

function writeChunks(literals: readonly string[], all: readonly string[]): string[] {
  const size = literals.length - 1
  return Array.from({ length: all.length / size }, (_, chunk) =>
    literals.map((literal, index) => literal + (index < size ? all[chunk * size + index]! : '')).join(''),
  )
}

function withText(delta: unknown, text: unknown): JsonObject {
  return Object.fromEntries(Object.entries(delta as JsonObject).map(([key, value]) => [key, value === mark ? text : value]))
}

function joinTexts(values: readonly string[]): string | undefined {
  return parseList(`["${values.join('","')}"]`)?.join('')
}

/** All lists as one. A text that is JSON only together with its neighbours takes a mark into a value, where it is not counted. */
function joinLists(values: readonly string[]): unknown[] | undefined {
  const all = parseList(`[${values.join(`,"${mark}",`)}]`)
  const list = all?.filter((value) => value !== mark)
  return all && list && all.length - list.length === values.length - 1 ? list : undefined
}

function parseList(text: string): unknown[] | undefined {
  try {
    return JSON.parse(text) as unknown[]
  } catch {
    return undefined
  }
}
