import { bind, hugeNumber, join, jsonTokens, sql, type Param, type Sql } from '@heddle/datastore'
import { listIndex } from './parse-path.ts'

/** A character of no meaning, which marks a number that was written as text. */
const mark = '\uE000'
const maxBranches = 3

/**
 * The text at a path of JSON text, as Nullable(String): NULL where there is nothing or null, strings as they are,
 * numbers in decimal, objects and lists as compact JSON text. A part of digits is a list position or a key.
 */
export function payloadText(json: Sql, segments: readonly string[]): Sql {
  // A lambda names the raw value, so that it is taken from the JSON once and not once per mention.
  return sql`arrayMap(r -> multiIf(r = '' OR r = 'null', NULL, startsWith(r, '"'), JSONExtractString(r), r), [${payloadJson(json, segments)}])[1]`
}

/** The JSON text of the value at a path of JSON text, empty if there is none. */
export function payloadJson(json: Sql, segments: readonly string[]): Sql {
  // The engine's parser refuses a whole document for one number beyond 64 bits: there such numbers are hidden while it is read.
  const repaired = extractBelow(hideNumbers(json), { path: sql``, segments, branches: 0 })
  return sql`if(isValidJSON(${json}), ${extractBelow(json, { path: sql``, segments, branches: maxBranches })}, ${restoreNumbers(repaired)})`
}

/** Turns numbers beyond 64 bits into marked texts. */
function hideNumbers(json: Sql): Sql {
  const isHuge = sql`NOT startsWith(t, '"') AND match(t, ${bind('String', hugeNumber)})`
  return sql`arrayStringConcat(arrayMap(t -> if(${isHuge}, concat('"', ${bind('String', mark)}, t, '"'), t), extractAll(${json}, ${bind('String', jsonTokens)})))`
}

function restoreNumbers(json: Sql): Sql {
  return sql`replaceRegexpAll(${json}, ${bind('String', `"${mark}([0-9.eE+-]+)"`)}, ${bind('String', '\\1')})`
}

interface Rest {
  /** Arguments that lead to the current position. */
  path: Sql
  segments: readonly string[]
  /** How many more numeric parts may index a list inside the document: much faster than extracting the list, but it doubles the expression. */
  branches: number
}

/** Raw JSON text at a path, empty where there is nothing. */
function extractBelow(json: Sql, { path, segments, branches }: Rest): Sql {
  const at = segments.findIndex((segment) => listIndex(segment) !== undefined)
  const digits = segments[at]
  if (digits === undefined) return sql`JSONExtractRaw(${json}${path}${keyArguments(segments)})`
  const outer = sql`${path}${keyArguments(segments.slice(0, at))}`
  const rest = segments.slice(at + 1)
  const position = bind('UInt64', (listIndex(digits) ?? 0) + 1)
  const key = bind('String', digits)
  if (branches === 0) {
    const value = sql`arrayMap(l -> if(JSONType(l) = 'Array', JSONExtractRaw(l, ${position}), JSONExtractRaw(l, ${key})), [JSONExtractRaw(${json}${outer})])[1]`
    return extractBelow(value, { path: sql``, segments: rest, branches })
  }
  const below = (step: Param) => extractBelow(json, { path: sql`${outer}, ${step}`, segments: rest, branches: branches - 1 })
  return sql`if(JSONType(${json}${outer}) = 'Array', ${below(position)}, ${below(key)})`
}

function keyArguments(keys: readonly string[]): Sql {
  return join(
    keys.map((key) => sql`, ${bind('String', key)}`),
    sql``,
  )
}
