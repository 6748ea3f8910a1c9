import { parseTimestamp, type QueryExpression, type QueryOperand, type SortBy } from '@heddle/core-api'
import { isJsonNumber, numberText } from '@heddle/core-api/internal'
import { aCallRow, type TestCall } from './call-row.ts'
import type { TestFeedback } from './feedback-row.ts'

/** A call with what stands around it. */
export interface TestScene extends TestCall {
  /** Feedback on the call, in the order of creation. */
  feedback?: TestFeedback[]
  /** Path below `inputs` at which a ref is followed. */
  expanded?: string
  /** What the text at that path leads to; undefined where it is not a ref or leads nowhere. */
  referenced?: unknown
}

/** A value while a query is evaluated: integers as bigint, doubles and booleans as number, times as microseconds. */
interface Value {
  type: 'text' | 'int' | 'double' | 'bool' | 'time'
  value: string | bigint | number | null
  literal?: 'text' | 'int' | 'double' | 'bool' | 'null'
  isField?: boolean
  /** Text that exists apart from its value, and orders as a number or a text. `converts`: takes the type of a literal. */
  dynamic?: { exists: boolean; converts: boolean }
  /** All texts of which any may match; `value` is the first. */
  texts?: string[]
}

/** Evaluates a query over one call by the letter of the query language, without the compiler. Null is unknown. */
export function evaluateExpression({ $expr }: QueryExpression, call: TestScene): boolean | null {
  return truth(evaluate($expr, call))
}

/** Compares two calls by an order of the query language. */
export function compareCalls(a: TestScene, b: TestScene, keys: readonly SortBy[]): number {
  for (const { field, direction } of keys) {
    const order = compareKey(readField(field, a), readField(field, b), direction === 'asc' ? 1 : -1)
    if (order !== 0) return order
  }
  return 0
}

function compareKey(a: Value, b: Value, sign: number): number {
  if (!a.dynamic || !b.dynamic) return nullsLast(a.value, b.value, sign)
  if (a.dynamic.exists !== b.dynamic.exists) return a.dynamic.exists ? -1 : 1
  const [one, other] = [String(a.value ?? ''), String(b.value ?? '')]
  return nullsLast(toDouble(one), toDouble(other), sign) || sign * order(one, other)
}

function nullsLast(a: Value['value'], b: Value['value'], sign: number): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return sign * order(a, b)
}

function order(a: string | bigint | number, b: string | bigint | number): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : a > b ? 1 : 0
}

function truth({ type, value }: Value): boolean | null {
  if (type === 'text' || type === 'time') throw new Error('not a condition')
  return value === null ? null : Number(value) !== 0
}

function bool(value: boolean | null): Value {
  return { type: 'bool', value: value === null ? null : Number(value) }
}

function evaluate(operand: QueryOperand, call: TestScene): Value {
  const read = (nested: QueryOperand) => evaluate(nested, call)
  if ('$literal' in operand) return literal(operand.$literal)
  if ('$getField' in operand) return readField(operand.$getField, call)
  if ('$convert' in operand) return convert(read(operand.$convert.input), operand.$convert.to)
  if ('$size' in operand) return size(read(operand.$size))
  if ('$and' in operand) return connect(operand.$and.map(read), false)
  if ('$or' in operand) return connect(operand.$or.map(read), true)
  if ('$not' in operand) {
    const value = truth(read(operand.$not[0]))
    return bool(value === null ? null : !value)
  }
  if ('$in' in operand) return isIn(read(operand.$in[0]), operand.$in[1].map(read))
  if ('$contains' in operand)
    return contains(read(operand.$contains.input), read(operand.$contains.substr), operand.$contains.case_insensitive)
  const [operator, sides] = Object.entries(operand)[0] as [string, [QueryOperand, QueryOperand]]
  return bool(compare(operator, read(sides[0]), read(sides[1])))
}

function connect(values: Value[], decisive: boolean): Value {
  if (values.length === 1 && values[0]) return values[0]
  const truths = values.map(truth)
  if (truths.includes(decisive)) return bool(decisive)
  return bool(truths.includes(null) ? null : !decisive)
}

function literal(value: unknown): Value {
  if (value === null) return { type: 'text', value: null, literal: 'null' }
  if (typeof value === 'string') return { type: 'text', value, literal: 'text' }
  if (typeof value === 'boolean') return { type: 'bool', value: Number(value), literal: 'bool' }
  const text = numberText(value) ?? ''
  // Beyond 64 bits a number is a double.
  const isInteger = /^[+-]?\d+$/.test(text) && toInt(text) !== null
  if (!isInteger && /^[+-]?\d+$/.test(text)) return { type: 'double', value: Number(text), literal: 'int' }
  return isInteger ? { type: 'int', value: BigInt(text), literal: 'int' } : { type: 'double', value: Number(text), literal: 'double' }
}

const swapped: Record<string, string> = { $eq: '$eq', $gt: '$lt', $lt: '$gt', $gte: '$lte', $lte: '$gte' }

function compare(operator: string, left: Value, right: Value): boolean | null {
  if (operator === '$eq' && right.literal === 'null') return left.texts ? left.texts.length === 0 : left.value === null
  if (left.literal === 'null' || right.literal === 'null') return null
  if (left.texts) return compareTexts(operator, left.texts, right)
  if (right.texts) return compareTexts(swapped[operator] ?? operator, right.texts, left)
  const [a, b] = align(left, right)
  if (a.value === null || b.value === null) return null
  const isNumber = ({ type }: Value) => type === 'int' || type === 'double' || type === 'bool'
  if (a.type !== b.type && !(isNumber(a) && isNumber(b))) return false
  const sign = order(a.value, b.value)
  switch (operator) {
    case '$eq':
      return sign === 0
    case '$gt':
      return sign > 0
    case '$lt':
      return sign < 0
    case '$gte':
      return sign >= 0
    default:
      return sign <= 0
  }
}

/** Any of them is equal; other operators use the first. */
function compareTexts(operator: string, texts: string[], other: Value): boolean | null {
  if (operator !== '$eq') return compare(operator, firstText(texts), other)
  return other.texts === undefined && other.type === 'text' && texts.includes(String(other.value ?? ''))
}

function firstText(texts: string[]): Value {
  return { type: 'text', value: texts[0] ?? '' }
}

function align(left: Value, right: Value): [Value, Value] {
  if (left.literal && !right.literal) {
    const [b, a] = align(right, left)
    return [a, b]
  }
  if (!right.literal || left.literal) {
    const asText = left.isField && right.isField && left.type !== right.type && left.type !== 'time' && right.type !== 'time'
    return asText ? [convert(left, 'string'), convert(right, 'string')] : [left, right]
  }
  if (left.type === 'time' && right.literal !== 'null') return [left, { type: 'time', value: timeOf(right) }]
  const target = right.literal
  return [left.dynamic?.converts && target !== 'text' && target !== 'null' ? convert(left, target) : left, right]
}

function timeOf({ value, type }: Value): number {
  const micros = type === 'text' ? parseTimestamp(value) : Math.round(Number(value) * 1e6)
  if (micros === undefined || type === 'bool') throw new Error('not a time')
  return micros
}

function isIn(value: Value, elements: Value[]): Value {
  if (elements.length === 0) return bool(false)
  const types = new Set(elements.map((element) => element.literal ?? 'other'))
  const numbers = types.size === 2 && types.has('int') && types.has('double')
  const target = numbers ? 'double' : types.size === 1 ? elements[0]?.literal : undefined
  const canConvert = value.dynamic?.converts && (target === 'int' || target === 'double' || target === 'bool')
  const { dynamic: _, ...fixed } = canConvert ? convert(value, target) : value
  const sameType = elements.map((element) => (target === 'double' ? { ...element, ...convert(element, 'double') } : element))
  const found = sameType.map((element) => compare('$eq', fixed, element.literal === 'null' ? { type: 'text', value: null } : element))
  return bool(found.includes(true) ? true : found.includes(null) ? null : false)
}

function contains(input: Value, substr: Value, ignoresCase: boolean): Value {
  if (input.type !== 'text' || substr.type !== 'text' || input.value === null || substr.value === null || substr.texts) return bool(false)
  const fold = (text: unknown) => (ignoresCase ? String(text).toLowerCase().replaceAll('ς', 'σ') : String(text))
  return bool((input.texts ?? [input.value]).some((text) => fold(text).includes(fold(substr.value))))
}

function size({ type, value, texts }: Value): Value {
  if (texts) return { type: 'int', value: BigInt(texts.length) }
  if (type !== 'text') throw new Error('no size')
  return { type: 'int', value: value === null ? null : BigInt([...String(value)].length) }
}

function convert(from: Value, to: string): Value {
  if (to === 'exists') return bool(from.dynamic ? from.dynamic.exists : from.value !== null)
  const type = to === 'string' ? 'text' : (to as Value['type'])
  if (from.value === null) return { type, value: null }
  if (from.type === type) return { type, value: from.value }
  if (from.type === 'time') throw new Error('times are not converted here')
  if (from.type === 'bool' && to !== 'string') return { type, value: to === 'int' ? BigInt(from.value) : Number(from.value) }
  if (from.type === 'int' && to === 'double') return { type, value: Number(from.value) }
  const text = from.type === 'bool' ? (from.value === 1 ? 'true' : 'false') : String(from.value)
  if (to === 'string') return { type, value: text }
  return { type, value: to === 'int' ? toInt(text) : to === 'double' ? toDouble(text) : toBool(text) }
}

function toInt(text: string): bigint | null {
  if (!/^[+-]?\d+$/.test(text)) return null
  const value = BigInt(text)
  return BigInt.asIntN(64, value) === value ? value : null
}

function toDouble(text: string): number | null {
  return /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : null
}

function toBool(text: string): number | null {
  if (text === 'true' || text === 'false') return Number(text === 'true')
  return /^\+?\d+$/.test(text) && Number(text) <= 255 ? Number(text) : null
}

function readField(path: string, call: TestScene): Value {
  if (path.startsWith('feedback.')) return readFeedback(path, call.feedback ?? [])
  const segments = splitPath(path)
  const root = segments[0] ?? ''
  if (path.startsWith('summary.weave.') || !['inputs', 'output', 'attributes', 'summary'].includes(root)) return readColumn(path, call)
  const defaults = root === 'output' ? null : {}
  const isBehindRef = root === 'inputs' && call.expanded !== undefined && segments.length > 2 && segments[1] === call.expanded
  const found = isBehindRef
    ? segments.slice(2).reduce(step, call.referenced)
    : segments.slice(1).reduce(step, payloadOf(root as 'inputs', call, segments) ?? defaults)
  const exists = found !== undefined && found !== null
  return { type: 'text', value: isBehindRef && !exists ? null : textOf(found), isField: true, dynamic: { exists, converts: true } }
}

/** The raw span stands among the attributes for those who read below it. */
function payloadOf(root: 'inputs' | 'output' | 'attributes' | 'summary', call: TestScene, [, first]: string[]): unknown {
  const isInRawSpan = root === 'attributes' && first === 'otel_span' && (call.otel ?? null) !== null
  return isInRawSpan ? { otel_span: call.otel } : call[root]
}

/** Reads backslashes from the left: each that is before a dot, or before such a backslash, takes the next character as part of the key. */
function splitPath(path: string): string[] {
  const segments = ['']
  for (let at = 0; at < path.length; at++) {
    const isEscape = path[at] === '\\' && /^\\+\./.test(path.slice(at))
    if (path[at] === '.') segments.push('')
    else segments.push(segments.pop() + path.charAt(isEscape ? ++at : at))
  }
  return segments
}

const repeating = ['wandb.reaction.1', 'wandb.note.1', 'wandb.agent_user_feedback']

/** One text of the feedback of a call: the newest of a type, the first that is not empty of any type; all of them for types that repeat. */
function readFeedback(path: string, all: TestFeedback[]): Value {
  const [, type = '', part = '', rest = ''] = /^feedback\.\[([^\]]+)\]\.(\w+)(?:\.(.*))?$/s.exec(path) ?? []
  const own = type === '*' ? all : all.filter(({ feedback_type }) => feedback_type === type)
  const texts = own.map((feedback) => {
    if (part !== 'payload') return feedback[part as 'runnable_ref'] ?? ''
    return textOf((rest === '' ? [] : splitPath(rest)).reduce(step, feedback.payload))
  })
  const filled = texts.filter((text) => text !== '')
  if (repeating.includes(type)) {
    const newest = filled.toReversed()
    return { ...firstText(newest), texts: newest, dynamic: { exists: filled.length > 0, converts: false } }
  }
  const value = (type === '*' ? filled[0] : texts.at(-1)) ?? ''
  return { type: 'text', value, isField: true, dynamic: { exists: value !== '', converts: type !== '*' } }
}

function step(value: unknown, segment: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(segment) ? value[Number(segment)] : undefined
  if (typeof value !== 'object' || value === null || isJsonNumber(value) || !Object.hasOwn(value, segment)) return undefined
  return (value as Record<string, unknown>)[segment]
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : jsonOf(value)
}

/** The engine writes the separators of lines and paragraphs as escapes, which JSON allows. */
function jsonString(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

/** Compact JSON text with numbers in decimal. */
function jsonOf(value: unknown): string {
  const number = numberText(value)
  if (number !== undefined) return /^-?\d+$/.test(number) ? number : String(Number(number)).replace('e+', 'e')
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`
  if (typeof value === 'string') return jsonString(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, member]) => `${jsonString(key)}:${jsonOf(member)}`)
    .join(',')}}`
}

function readColumn(path: string, call: TestScene): Value {
  const row = aCallRow(call)
  const text = (value: string | null): Value => ({ type: 'text', value: value === '' ? null : value, isField: true })
  const time = (value: number | null): Value => ({ type: 'time', value, isField: true })
  switch (path) {
    case 'id':
    case 'op_name':
    case 'parent_id':
    case 'display_name':
    case 'wb_user_id':
      return text(row[path])
    case 'thread_id':
    case 'exception':
      return { type: 'text', value: row[path], isField: true }
    case 'wb_run_step':
      return { type: 'int', value: row.wb_run_step === null ? null : BigInt(row.wb_run_step), isField: true }
    case 'started_at':
    case 'ended_at':
      return time(row[path])
    case 'summary.weave.status':
      return text(row.status)
    case 'summary.weave.trace_name':
      return text(row.display_name || row.op_short_name)
    case 'summary.weave.latency_ms': {
      const micros = row.ended_at === null ? null : row.ended_at - row.started_at
      return { type: 'int', value: micros === null ? null : BigInt(Math.trunc(micros / 1000)), isField: true }
    }
    default:
      throw new Error(`no column ${path}`)
  }
}
