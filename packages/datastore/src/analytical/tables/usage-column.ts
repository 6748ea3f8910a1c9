import { quoteText } from '../quote.ts'
import { hugeNumber, jsonTokens } from '../rows/json-numbers.ts'
import type { DerivedColumn } from '../table.ts'
import { escapeMark } from './json-words.ts'

const isHuge = `NOT startsWith(t, '"') AND match(t, ${quoteText(hugeNumber)})`
/** The engine evaluates both branches of a condition for every row: the expensive one gets an empty text when it is not needed. */
const unparsable = "if(isValidJSON(summary), '', summary)"
const withoutHugeNumbers = `arrayStringConcat(arrayMap(t -> if(${isHuge}, 'null', t), extractAll(${unparsable}, ${quoteText(jsonTokens)})))`
/** One number that the engine's parser rejects would hide all other values, so it is replaced by null. */
const parsable = `if(isValidJSON(summary), summary, ${withoutHugeNumbers})`
/** The whole numbers of each model by their names. */
const sent = `CAST(JSONExtract(${parsable}, 'usage', 'Map(String, Map(String, Nullable(Int64)))') AS Array(Tuple(String, Map(String, Nullable(Int64)))))`

const count = (name: string) => `ifNull(entry.2[${quoteText(name)}], 0)`
const sum = (...names: string[]) => names.map(count).join(' + ')

/** Each count and its expression: both spellings are added up, and all but the total are 0 if missing. */
const counts = {
  input_tokens: { type: 'Int64', from: sum('prompt_tokens', 'input_tokens') },
  output_tokens: { type: 'Int64', from: sum('completion_tokens', 'output_tokens') },
  total_tokens: { type: 'Nullable(Int64)', from: "entry.2['total_tokens']" },
  cache_read_input_tokens: { type: 'Int64', from: sum('cache_read_input_tokens') },
  cache_creation_input_tokens: { type: 'Int64', from: sum('cache_creation_input_tokens') },
}
const types = Object.entries(counts).map(([name, { type }]) => `${name} ${type}`)
const values = Object.values(counts).map(({ from }) => from)

/**
 * Token counts of a call: an entry per model, in the order of its summary. Extracting one from the text of a summary takes
 * the engine a microsecond, which is little once per inserted row and much for every row that a query reads.
 */
export const usageColumn: DerivedColumn = {
  type: `Array(Tuple(model LowCardinality(String), ${types.join(', ')}))`,
  codec: 'ZSTD(1)',
  ifNoneOf: { texts: ['"usage', escapeMark], value: '[]' },
  from: `arrayMap(entry -> (toLowCardinality(entry.1), ${values.join(', ')}), ${sent})`,
}
