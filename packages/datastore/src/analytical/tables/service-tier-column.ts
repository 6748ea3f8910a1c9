import { quoteText } from '../quote.ts'
import type { DerivedColumn } from '../table.ts'
import { tupleOfPaths } from './json-words.ts'

/** A column to search for names. */
interface Place {
  column: 'otel' | 'output' | 'attributes' | 'inputs'
  /** Path to the member that has the names. */
  within: readonly string[]
  /** The member at the path is JSON in a text. */
  isText?: boolean
  names: readonly (readonly string[])[]
}

const ofProviders = [
  'openai.serviceTier',
  'azure.serviceTier',
  'anthropic.usage.service_tier',
  'google.serviceTier',
  'google.usageMetadata.trafficType',
  'vertex.usageMetadata.trafficType',
  'bedrock.serviceTier.type',
].map((name) => name.split('.'))

const ofParameters = [['service_tier'], ['serviceTier']]

/** Where the payloads of a call may name the tier of service that answered it, the most exact first: the first that names one decides. */
const places: readonly Place[] = [
  {
    // Attributes of a raw span.
    column: 'otel',
    within: ['attributes'],
    names: [
      'openai.response.service_tier',
      'gen_ai.openai.response.service_tier',
      'gen_ai.response.service_tier',
      'gen_ai.usage.service_tier',
      'llm.response.service_tier',
      'aws.bedrock.response.service_tier',
    ].map((name) => name.split('.')),
  },
  { column: 'otel', within: ['attributes', 'ai', 'response', 'providerMetadata'], names: ofProviders },
  { column: 'otel', within: ['attributes', 'ai', 'response', 'providerMetadata'], isText: true, names: ofProviders },
  // If the span has no other response, its output is one.
  { column: 'output', within: ['ai.response', 'providerMetadata'], names: ofProviders },
  { column: 'output', within: ['ai.response', 'providerMetadata'], isText: true, names: ofProviders },
  {
    // The body of the response, which tracing clients keep as it is, and spans in the attribute of their convention.
    column: 'output',
    within: [],
    names: [
      ['service_tier'],
      ['usage', 'service_tier'],
      ['serviceTier', 'type'],
      ['usage_metadata', 'traffic_type'],
      ['usageMetadata', 'trafficType'],
      ...['output.value', 'mlflow.spanOutputs', 'langfuse.observation.output', 'traceloop.entity.output', 'gen_ai.completion'].flatMap(
        (name) => [
          [name, 'service_tier'],
          [name, 'usage', 'service_tier'],
          [name, 'usage_metadata', 'traffic_type'],
          [name, 'usageMetadata', 'trafficType'],
        ],
      ),
    ],
  },
  {
    // Attributes set by the program, and the parameters of its request.
    column: 'attributes',
    within: [],
    names: [['service_tier']],
  },
  { column: 'attributes', within: ['model_parameters'], names: ofParameters },
  { column: 'attributes', within: ['model_parameters'], isText: true, names: ofParameters },
  {
    column: 'otel',
    within: ['attributes'],
    names: [
      'service_tier',
      'openai.request.service_tier',
      'gen_ai.openai.request.service_tier',
      'gen_ai.request.service_tier',
      'llm.request.service_tier',
      'llm.invocation_parameters.service_tier',
      'aws.bedrock.request.service_tier',
    ].map((name) => name.split('.')),
  },
  { column: 'inputs', within: [], names: [['service_tier'], ['serviceTier', 'type']] },
]

const marks = ['service_tier', 'serviceTier', 'traffic_type', 'trafficType']

const hasMark = (column: string) => `multiSearchAny(${column}, [${marks.map(quoteText).join(', ')}])`

/** Argument of the function that is called for rows with a mark only: an expression without it would be computed for all rows. */
const isNamed = 'is_named'

/**
 * The words found in one column, as pairs of path and word. Nearly no text has one of the names, and only such a text is parsed. The pairs are in the
 * order of the names, except that names with the same first part follow one another: `names` must already be in that order. A list has no names: the
 * engine would take its items by their positions.
 */
function wordsIn({ column, within, isText = false, names }: Place): string {
  const paths = isText ? names : names.map((path) => [...within, ...path])
  const named = `if(${isNamed} AND startsWith(${column}, '{') AND ${hasMark(column)}, ${column}, '')`
  const json = isText ? `JSONExtractString(${[named, ...within.map(quoteText)].join(', ')})` : named
  return `tupleToNameValuePairs(flattenTuple(JSONExtract(${json}, ${quoteText(tupleOfPaths(paths))})))`
}

/** Texts longer than any name of a tier are none: content of a payload must not fill the column. */
const longestWord = 64

const firstWord = `ifNull(arrayFirst(found -> ifNull(length(found.2), 0) BETWEEN 1 AND ${longestWord}, arrayConcat(${places.map(wordsIn).join(', ')})).2, '')`
const columns = [...new Set(places.map(({ column }) => column))]

/**
 * A word for the tier of service that answered a call (`flex`, `priority`, `batch`, `default` …), as its instrumentation or its provider's response writes it;
 * `''` where none is named. Each insert analyzes the expression, so its length counts: a list of all members would double what a small insert costs.
 */
export const serviceTierColumn: DerivedColumn = {
  type: 'LowCardinality(String)',
  from: `arrayMap(${isNamed} -> ${firstWord}, if(${columns.map(hasMark).join(' OR ')}, [true], []))[1]`,
  ifNoneOf: { texts: marks, value: "''" },
}
