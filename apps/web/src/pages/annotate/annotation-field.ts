import { isJsonNumber, parseExactJson } from '@heddle/json/exact'

/** A field that an annotator fills in, made from an annotation spec. */
export interface AnnotationField {
  /** Name of the spec as an object, which is part of the type of the feedback. */
  name: string
  title: string
  description: string
  /** Reference to the version of the spec. */
  ref: string
  input: FieldInput
}

export type FieldInput =
  | { kind: 'options'; options: readonly unknown[] }
  /** Few whole numbers, both bounds among them. */
  | { kind: 'scale'; minimum: number; maximum: number }
  | { kind: 'number'; isInteger: boolean; minimum: number | undefined; maximum: number | undefined }
  | { kind: 'text'; maxLength: number | undefined }
  /** A schema that no form is made for: its value is written as JSON. */
  | { kind: 'json' }

interface SpecVersion {
  object_id: string
  val: unknown
}

/** More options than keys have digits are chosen with the arrows. */
const maxOptions = 200
/** As many as fit in one line. */
const maxSteps = 7

/** The field of a spec. Undefined for an object that is not an annotation spec. */
export function toAnnotationField(ref: string, { object_id, val }: SpecVersion): AnnotationField | undefined {
  if (!isRecord(val) || val['_class_name'] !== 'AnnotationSpec') return undefined
  const { name, description, field_schema } = val
  return {
    name: object_id,
    title: typeof name === 'string' && name !== '' ? name : object_id,
    description: typeof description === 'string' ? description : '',
    ref,
    input: toFieldInput(isRecord(field_schema) ? field_schema : {}),
  }
}

function toFieldInput(schema: Record<string, unknown>): FieldInput {
  const { type, minimum, maximum, maxLength } = schema
  const options = schema['enum']
  if (Array.isArray(options) && options.length <= maxOptions) return { kind: 'options', options }
  if (type === 'boolean') return { kind: 'options', options: [true, false] }
  if (type === 'number' || type === 'integer') {
    const number = { kind: 'number' as const, isInteger: type === 'integer', minimum: numberOf(minimum), maximum: numberOf(maximum) }
    return toScale(number) ?? number
  }
  if (type === 'string') return { kind: 'text', maxLength: numberOf(maxLength) }
  return { kind: 'json' }
}

function toScale({ isInteger, minimum, maximum }: Extract<FieldInput, { kind: 'number' }>): FieldInput | undefined {
  if (!isInteger || minimum === undefined || maximum === undefined) return undefined
  const isWhole = Number.isSafeInteger(minimum) && Number.isSafeInteger(maximum)
  const steps = maximum - minimum + 1
  return isWhole && steps >= 2 && steps <= maxSteps ? { kind: 'scale', minimum, maximum } : undefined
}

/** The options, in their order. */
export const optionsOf = (input: Extract<FieldInput, { kind: 'options' | 'scale' }>): readonly unknown[] =>
  input.kind === 'options' ? input.options : Array.from({ length: input.maximum - input.minimum + 1 }, (_, at) => input.minimum + at)

/** The option that a digit from 1 to 9 selects: the step of a scale with this value, or the option at this position. Undefined if there is none. */
export function optionOfDigit(input: Extract<FieldInput, { kind: 'options' | 'scale' }>, digit: number): unknown {
  const options = optionsOf(input)
  return input.kind === 'scale' ? options.find((step) => step === digit) : options[digit - 1]
}

/** The entered text as a value, or a message about its problem. Empty text means no value. */
export type EnteredValue = { status: 'none' } | { status: 'value'; value: unknown } | { status: 'refused'; problem: string }

export function readEntered(input: FieldInput, text: string): EnteredValue {
  if (text.trim() === '') return { status: 'none' }
  if (input.kind === 'number') return readNumber(input, text)
  if (input.kind === 'json') return readJson(text)
  if (input.kind === 'text' && input.maxLength !== undefined && [...text].length > input.maxLength)
    return { status: 'refused', problem: `at most ${input.maxLength} characters, got ${[...text].length}` }
  return { status: 'value', value: text }
}

function readNumber({ isInteger, minimum, maximum }: Extract<FieldInput, { kind: 'number' }>, text: string): EnteredValue {
  const exact = exactNumber(text)
  const value = Number(text)
  if (exact === undefined && !Number.isFinite(value)) return { status: 'refused', problem: `"${text}" is not a number` }
  if (isInteger && !Number.isInteger(value)) return { status: 'refused', problem: `"${text}" is not a whole number` }
  if (minimum !== undefined && value < minimum) return { status: 'refused', problem: `at least ${minimum}, got ${value}` }
  if (maximum !== undefined && value > maximum) return { status: 'refused', problem: `at most ${maximum}, got ${value}` }
  return { status: 'value', value: exact ?? value }
}

/** As typed: `1.50` and integers of any size are kept. Undefined for a text that is not a JSON number, such as `.5`. */
function exactNumber(text: string): unknown {
  const entered = readJson(text)
  return entered.status === 'value' && numberOf(entered.value) !== undefined ? entered.value : undefined
}

function readJson(text: string): EnteredValue {
  try {
    return { status: 'value', value: parseExactJson(text) }
  } catch {
    return { status: 'refused', problem: 'not JSON' }
  }
}

const numberOf = (value: unknown) => (typeof value === 'number' || isJsonNumber(value) ? Number(value) : undefined)
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
