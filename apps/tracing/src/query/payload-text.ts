import { bind, join, sql, type Sql } from '@heddle/datastore'
import { listIndex } from './parse-path.ts'

/** Splits JSON text into strings, numbers and what lies between. */
const jsonTokens = '"(?:[^"\\\\]|\\\\.)*"|-?[0-9][0-9.eE+-]*|[^"0-9-]+'
/** A character of no meaning, which marks a number that was written as text. */
const mark = '\uE000'
const hugeNumber = '^-?[0-9][0-9.]{17}[0-9.]|[eE][+]?[0-9]{3}'

/**
 * The text at a path of JSON text, as Nullable(String): NULL where there is nothing or null, strings as they are,
 * numbers in decimal, objects and lists as compact JSON text. A part of digits is a list position or a key.
 */
export function payloadText(json: Sql, segments: readonly string[]): Sql {
  // A lambda names the raw value, so that it is taken from the JSON once and not once per mention.
  return sql`arrayMap(r -> multiIf(r = '' OR r = 'null', NULL, startsWith(r, '"'), JSONExtractString(r), r), [${rawValue(json, segments)}])[1]`
}

/** Raw JSON text at a path; empty where there is nothing. */
function rawValue(json: Sql, segments: readonly string[]): Sql {
  const repaired = restoreNumbers(extract(hideNumbers(json), segments))
  return sql`arrayMap(v -> if(v = '' AND NOT isValidJSON(${json}), ${repaired}, v), [${extract(json, segments)}])[1]`
}

/** Turns numbers beyond 64 bits into marked texts: the engine's parser refuses a whole document that holds one. */
function hideNumbers(json: Sql): Sql {
  const isHuge = sql`NOT startsWith(t, '"') AND match(t, ${bind('String', hugeNumber)})`
  return sql`arrayStringConcat(arrayMap(t -> if(${isHuge}, concat('"', ${bind('String', mark)}, t, '"'), t), extractAll(${json}, ${bind('String', jsonTokens)})))`
}

function restoreNumbers(json: Sql): Sql {
  return sql`replaceRegexpAll(${json}, ${bind('String', `"${mark}([0-9.eE+-]+)"`)}, ${bind('String', '\\1')})`
}

function extract(json: Sql, segments: readonly string[]): Sql {
  const at = segments.findIndex((segment) => listIndex(segment) !== undefined)
  if (at === -1) return extractKeys(json, segments)
  const outer = extractKeys(json, segments.slice(0, at))
  const rest = segments.slice(at + 1)
  return extract(extractPosition(outer, segments[at] ?? ''), rest)
}

function extractKeys(json: Sql, keys: readonly string[]): Sql {
  const all = keys.map((key) => sql`, ${bind('String', key)}`)
  return sql`JSONExtractRaw(${json}${join(all, sql``)})`
}

function extractPosition(json: Sql, segment: string): Sql {
  const position = bind('UInt64', (listIndex(segment) ?? 0) + 1)
  return sql`arrayMap(l -> if(JSONType(l) = 'Array', JSONExtractRaw(l, ${position}), JSONExtractRaw(l, ${bind('String', segment)})), [${json}])[1]`
}
