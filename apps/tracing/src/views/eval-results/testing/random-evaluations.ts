import fc from 'fast-check'

/** One trial as a test means it: what its calls record, and so what must be found in them. */
export interface PlannedTrial {
  /** Place in `examples`. */
  row: number
  /** Which client writes the calls. `alone`: one that records no calls below. */
  client: 'class' | 'function' | 'logger' | 'service' | 'alone'
  /** False: the call is still running. */
  ended: boolean
  output: unknown
  scores: Record<string, unknown>
  /** Keys of the scores whose call is recorded. */
  scoreCalls: readonly string[]
  /** A score that was recorded after the call had ended; undefined without one. */
  late: { value: unknown; failed: boolean } | undefined
  latency: number | { mean: number } | null
  predict: { ended: boolean; tokens: number | null } | undefined
  /** Tokens of the predict-and-score call, with those of its scorers. */
  tokens: number | null
}

/** Rows of a dataset, and examples that a logger has sent itself. `ref`: place of a row in the dataset; a row that is not stored has no place. */
export type PlannedExample = { ref: number | 'unknown' } | { inline: unknown }

export interface PlannedEvaluations {
  examples: readonly PlannedExample[]
  evaluations: readonly (readonly PlannedTrial[])[]
}

/** Rows of the dataset of all tests. */
export const datasetRows = [{ n: 1, q: 'a' }, { n: 20, q: 'B' }, { q: 'ü' }]
export const scoreKeys = ['exact', 'len', 'tone'] as const

const scalar = fc.constantFrom<unknown>(true, false, 0, 1, 0.5, 2, 10, -3, 'good', '7', '', null)
const score = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.record({ value: scalar, deep: fc.record({ a: scalar }, { requiredKeys: [] }) }, { requiredKeys: [] }),
  fc.constantFrom<unknown>([], [1, true], {}, { list: [1] }),
)
const tokens = fc.constantFrom(null, 0, 15, 301, 302)

const trial: fc.Arbitrary<PlannedTrial> = fc.record({
  row: fc.nat(4),
  client: fc.constantFrom<PlannedTrial['client']>('class', 'function', 'logger', 'service', 'alone'),
  ended: fc.constantFrom(true, true, true, false),
  output: fc.constantFrom<unknown>('text', 5, null, { label: 'x', num: 3 }, { label: 'y' }, [1, 2], true),
  scores: fc.dictionary(fc.constantFrom(...scoreKeys), score, { maxKeys: 3 }).map((scores) => ({ ...scores })),
  scoreCalls: fc.subarray([...scoreKeys]),
  late: fc.option(fc.record({ value: score, failed: fc.boolean() }), { nil: undefined, freq: 4 }),
  latency: fc.constantFrom<PlannedTrial['latency']>(null, 0.25, { mean: 1.5 }),
  predict: fc.option(fc.record({ ended: fc.boolean(), tokens }), { nil: undefined, freq: 6 }),
  tokens,
})

const example: fc.Arbitrary<PlannedExample> = fc.oneof(
  fc.constantFrom<number | 'unknown'>(0, 1, 2, 'unknown').map((ref) => ({ ref })),
  fc.constantFrom<unknown>(datasetRows[0], { q: 'a', n: 1 }, { n: 7 }, 'plain', 5, null, [1]).map((inline) => ({ inline })),
)

export const randomEvaluations: fc.Arbitrary<PlannedEvaluations> = fc.record({
  examples: fc.array(example, { minLength: 5, maxLength: 5 }),
  evaluations: fc.array(fc.array(trial, { maxLength: 8 }), { minLength: 1, maxLength: 3 }),
})

const field = fc.constantFrom(
  'scores.exact',
  'scores.len',
  'scores.exact.value',
  'scores.tone.deep.a',
  'inputs.n',
  'inputs.q',
  'outputs.num',
  'output.output.label',
  'row_digest',
)
const scoreField = fc.constantFrom('scores.exact', 'scores.len', 'scores.exact.value')
const scope = fc.option(fc.nat(3), { nil: null, freq: 2 })

const sort = fc.oneof(
  fc.record({ field, direction: fc.constantFrom('asc', 'desc'), scope, mode: fc.constant('value') }),
  fc.record({ field: scoreField, direction: fc.constantFrom('asc', 'desc'), scope, mode: fc.constant('difference') }),
)
const literal = fc.constantFrom<unknown>(1, 0.5, 2, 'a', 'good', '', '7').map(($literal) => ({ $literal }))
const read = field.map(($getField) => ({ $getField }))
const number = read.map((input) => ({ $convert: { input, to: 'double' } }))
const test = fc.oneof(
  fc.tuple(read, literal).map((sides) => ({ $eq: sides })),
  fc.tuple(number, fc.constantFrom(0.5, 1.5, 3)).map(([side, value]) => ({ $gt: [side, { $literal: value }] })),
  fc.tuple(read, fc.array(literal, { minLength: 1, maxLength: 3 })).map((sides) => ({ $in: sides })),
  read.map((input) => ({ $convert: { input, to: 'exists' } })).map((condition) => ({ $and: [condition, condition] })),
)
const expression = fc.oneof(
  test,
  test.map((one) => ({ $not: [one] })),
  fc.tuple(test, test).map((both) => ({ $or: both })),
)

/** A request; evaluations are named by their places, of which one may be unknown. */
export const randomRequest = fc.record({
  evaluations: fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 4 }),
  require_intersection: fc.boolean(),
  summary_require_intersection: fc.constantFrom(null, true, false),
  include_raw_data_rows: fc.boolean(),
  resolve_row_refs: fc.boolean(),
  include_rows: fc.constantFrom(true, true, true, false),
  include_summary: fc.boolean(),
  include_predict_and_score_children: fc.boolean(),
  include_costs: fc.boolean(),
  sort_by: fc.array(sort, { maxLength: 2 }),
  filters: fc.array(fc.record({ scope, $expr: expression }), { maxLength: 2 }),
  filter_logic_operator: fc.constantFrom<'and' | 'or' | null>(null, 'and', 'or'),
  limit: fc.constantFrom(null, 0, 1, 3),
  offset: fc.constantFrom(-1, 0, 1, 2),
})
export type RandomRequest = typeof randomRequest extends fc.Arbitrary<infer T> ? T : never
