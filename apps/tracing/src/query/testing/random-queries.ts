import type { QueryExpression, QueryOperand, SortBy } from '@heddle/core-api'
import { joinPath } from '@heddle/core-api/internal'
import { JsonNumber } from '@heddle/json'
import fc from 'fast-check'
import type { TestCall } from './call-row.ts'
import type { TestFeedback } from './feedback-row.ts'

const keys = [
  'a',
  'b',
  'a.b',
  '0',
  '1',
  'k"q',
  'ü',
  '%2E',
  'x|y',
  'n{',
  '__proto__',
  'constructor',
  'a b',
  "'; DROP",
  '\\d',
  'k\\',
  '\\.',
  '',
]
const texts = [
  '',
  'abc',
  'ABC',
  'Äö',
  '5',
  '5.0',
  '+7',
  '-3',
  '007',
  '1e3',
  'true',
  'false',
  ' 5',
  '256',
  '255',
  'x%y_z',
  'null',
  '{"a":1}',
  '2026-01-01',
  "it's {p0:String}",
  'ΣΑΣ',
  'some words',
  'a line\nsome words "quoted" \u2028some',
  'words',
]
const numbers = [0, 1, 2, 3, 5, 255, 256, -5, 3.5, 0.1, -0.25, 1000, 9007199254740991, 1e21]
const writtenNumbers = ['5.0', '1e3', '3.50', '9007199254740993', '12345678901234567890123', '-9999999999999999999', '0.000001', '1E2']

const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }).map(printable) },
)
const number = fc.oneof(
  fc.constantFrom(...numbers),
  fc.constantFrom(...writtenNumbers).map((written) => new JsonNumber(written)),
  fc.integer({ min: -300, max: 300 }),
)
const longText = fc.constantFrom('long '.repeat(60), `${'9'.repeat(201)}`)
const scalar = fc.oneof({ weight: 4, arbitrary: text }, { weight: 4, arbitrary: number }, fc.boolean(), fc.constant(null), longText)
const key = fc.constantFrom(...keys)

/** The engine writes control characters in objects in another way than JavaScript does. */
function printable(value: string): string {
  return value.replace(/[\u0000-\u001f\u007f]/g, '')
}

/** Own properties, whatever their names. */
function objectOf(entries: [string, unknown][]): object {
  const members = entries.map(([name, value]) => [name, { value, enumerable: true, writable: true, configurable: true }] as const)
  return (
    Object.defineProperties({}, Object.fromEntries([])) &&
    members.reduce((made, [name, member]) => Object.defineProperty(made, name, member), {})
  )
}

const { value: json } = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  object: fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((entries) => objectOf(entries)),
  value: fc.oneof(
    { maxDepth: 8, depthSize: 'medium' },
    { weight: 3, arbitrary: scalar },
    { weight: 4, arbitrary: tie('object') },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
  ),
}))
const wide = fc
  .integer({ min: 60, max: 70 })
  .map((count) => objectOf(Array.from({ length: count }, (_, index) => [index === 3 ? 'a' : `w${index}`, index])))
const payload = fc
  .array(fc.tuple(key, fc.oneof({ weight: 12, arbitrary: json }, wide)), { maxLength: 6 })
  .map((entries) => objectOf(entries))
const nothing = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

const rawSpan = fc.record({
  name: text,
  attributes: fc.oneof({ weight: 9, arbitrary: payload }, json),
  resource: fc.oneof({ weight: 9, arbitrary: fc.record({ attributes: payload }) }, json),
})

const parameters = fc.oneof(fc.record({ a: scalar, temperature: scalar }, { requiredKeys: [] }), scalar)
const conventional = fc.record({ model: scalar, response_id: scalar, model_parameters: parameters }, { requiredKeys: [] })

/** Keys without a value are not in JSON. */
const given = (object: Record<string, unknown>) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))

/** Attributes of the GenAI convention in a span and in its call: mostly the same values. */
const mappedSpan = fc.tuple(conventional, fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, conventional)).map(([sent, others]) => {
  const { model, response_id: id, model_parameters: request } = sent
  const gen_ai = given({ response: given({ model, id }), request })
  return { attributes: { ...sent, ...others }, otel: { attributes: { gen_ai } } }
})

const callOfAnyFields: fc.Arbitrary<Omit<TestCall, 'id'>> = fc.record({
  started_at: fc.constantFrom('2026-03-01', '2026-03-02T10:00:00.000001Z', '2026-04-05T23:59:59+02:00'),
  ended_at: nothing(fc.constantFrom('2026-03-02T10:00:01.5Z', '2026-05-01')),
  parent_id: nothing(fc.constantFrom('p1', 'p2')),
  thread_id: nothing(text),
  display_name: nothing(text),
  exception: nothing(text),
  op_name: fc.constantFrom('predict', 'weave:///e/p/op/score:abc', 'O.p'),
  wb_run_step: nothing(fc.constantFrom(0, 5, 300)),
  inputs: payload,
  output: json,
  attributes: fc.oneof(
    { weight: 9, arbitrary: payload },
    rawSpan.map((otel_span) => ({ otel_span })),
  ),
  otel: nothing(rawSpan),
  isOld: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
  summary: payload,
})

/** A call of which every field may be absent; the id comes from its position. */
export const randomCall: fc.Arbitrary<Omit<TestCall, 'id'>> = fc
  .tuple(callOfAnyFields, fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, mappedSpan))
  .map(([call, mapped]) => ({ ...call, ...mapped }))

const feedbackTypes = ['q', 'wandb.note.1', 'wandb.runnable.x']

/** Feedback on one of the calls, by the number of the call. */
export const randomFeedback: fc.Arbitrary<Omit<TestFeedback, 'weave_ref'> & { call: number }> = fc.record({
  call: fc.nat(),
  feedback_type: fc.constantFrom(...feedbackTypes),
  payload,
  runnable_ref: fc.constantFrom('', 'weave:///e/p/op/x:1', 'weave:///e/p/op/x:2'),
})

/** The value of an object, and the value of `inputs.ref`: a ref to one of three objects, or something that leads nowhere. */
export const randomDocument: fc.Arbitrary<unknown> = json
export const randomReference: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...['d0', 'd1', 'd2'].map((digest) => `weave:///e/p/object/o:${digest}`)) },
  fc.constantFrom<unknown>(
    'weave:///e/p/object/o:gone',
    'weave:///e/p/object/deleted:d0',
    'weave:///e/other/object/o:d0',
    'text',
    { a: 1 },
    5,
    null,
  ),
)

const typedFields = [
  'id',
  'parent_id',
  'thread_id',
  'op_name',
  'display_name',
  'exception',
  'wb_run_step',
  'summary.weave.latency_ms',
  'summary.weave.trace_name',
  'summary.weave.status',
]
const path = fc.array(key, { maxLength: 8, size: 'small' })
const rawSpanRoots = ['attributes.otel_span', 'attributes.otel_span.attributes', 'attributes.otel_span.resource.attributes']
const dynamicField = fc
  .tuple(fc.constantFrom('inputs', 'output', 'attributes', 'summary', ...rawSpanRoots), path)
  .map(([root, parts]) => joinPath([...root.split('.'), ...parts]))
const mappedFields = ['model', 'response_id', 'model_parameters', 'model_parameters.a', 'model_parameters.temperature']
const sentFields = ['response.model', 'response.id', 'request', 'request.a', 'request.temperature']
const conventionField = fc.constantFrom(
  ...mappedFields.map((name) => `attributes.${name}`),
  ...sentFields.map((name) => `attributes.otel_span.attributes.gen_ai.${name}`),
)
const payloadField = fc
  .array(
    key.filter((name) => name !== ''),
    { maxLength: 8, size: 'small' },
  )
  .map((parts) => joinPath(['payload', ...parts]))
const feedbackField = fc
  .tuple(fc.constantFrom(...feedbackTypes, '*'), fc.oneof({ weight: 3, arbitrary: payloadField }, fc.constant('runnable_ref')))
  .map(([type, part]) => `feedback.[${type}].${part}`)
const referencedField = path.map((parts) => joinPath(['inputs', 'ref', ...parts]))
const field = fc.oneof(
  { weight: 4, arbitrary: dynamicField },
  { weight: 1, arbitrary: conventionField },
  { weight: 1, arbitrary: fc.constantFrom(...typedFields) },
  { weight: 1, arbitrary: feedbackField },
  { weight: 1, arbitrary: referencedField },
)

const getField = field.map((name): QueryOperand => ({ $getField: name }))
const literal = fc.oneof(text, number, fc.boolean(), fc.constant(null)).map((value): QueryOperand => ({ $literal: value }))
const converted = fc
  .record({ input: getField, to: fc.constantFrom('double', 'string', 'int', 'bool', 'exists') })
  .map(($convert) => ({ $convert }) as QueryOperand)
const value = fc.oneof(
  { weight: 4, arbitrary: getField },
  { weight: 2, arbitrary: literal },
  converted,
  dynamicField.map(($getField): QueryOperand => ({ $size: { $getField } })),
)
const sameLiterals = fc.oneof(
  fc.array(text, { maxLength: 4 }),
  fc.array(number, { maxLength: 4 }),
  fc.array(fc.boolean(), { maxLength: 2 }),
)
const elements = fc.oneof(
  sameLiterals.map((values) => values.map((each): QueryOperand => ({ $literal: each }))),
  fc.array(value, { maxLength: 3 }),
)
const times = fc.constantFrom<unknown>('2026-03-01', '2026-03-02T10:00:00.000001Z', 1772409600, 1772445600.5)
const comparison = fc.constantFrom('$eq', '$gt', '$lt', '$gte', '$lte')
const compared = fc
  .tuple(comparison, value, value)
  .map(([operator, left, right]) => ({ [operator]: [left, right] }) as unknown as QueryOperand)
const comparedLiteral = fc
  .tuple(comparison, getField, literal)
  .map(([operator, left, right]) => ({ [operator]: [left, right] }) as unknown as QueryOperand)
const comparedTime = fc
  .tuple(comparison, fc.constantFrom('started_at', 'ended_at'), times, fc.boolean())
  .map(
    ([operator, $getField, $literal, swap]) =>
      ({ [operator]: swap ? [{ $literal }, { $getField }] : [{ $getField }, { $literal }] }) as unknown as QueryOperand,
  )
const contained = fc
  .record({
    input: value,
    substr: fc.oneof(
      text.map(($literal): QueryOperand => ({ $literal })),
      getField,
    ),
    case_insensitive: fc.boolean(),
  })
  .map(($contains): QueryOperand => ({ $contains }))
const within = fc.tuple(value, elements).map(($in): QueryOperand => ({ $in }))

const { condition } = fc.letrec<{ condition: QueryOperand }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    {
      weight: 4,
      arbitrary: fc.oneof({ weight: 3, arbitrary: comparedLiteral }, { weight: 2, arbitrary: compared }, comparedTime, contained, within),
    },
    { weight: 1, arbitrary: tie('condition').map(($0): QueryOperand => ({ $not: [$0] })) },
    { weight: 1, arbitrary: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).map(($and): QueryOperand => ({ $and })) },
    { weight: 1, arbitrary: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).map(($or): QueryOperand => ({ $or })) },
  ),
}))

/** A query over the fields of random calls. A few compare values that cannot be compared and are refused. */
export const randomQuery = condition.map(($expr) => ({ $expr }) as QueryExpression)

/** One to two keys of an order. */
export const randomSort: fc.Arbitrary<SortBy[]> = fc.array(
  fc.record({ field: fc.oneof(field, fc.constantFrom('started_at', 'ended_at')), direction: fc.constantFrom('asc', 'desc') }),
  { minLength: 1, maxLength: 2 },
)
