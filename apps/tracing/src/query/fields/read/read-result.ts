import { sql, type Sql } from '@heddle/datastore'
import { listIndex } from '../parse-path.ts'
import { payloadJson } from '../payload-text.ts'
import type { ResultField } from '../result-field.ts'

/** The JSON text of a field in a predict-and-score call, empty where there is nothing. The digest of its row is not in it. */
export function resultJson(field: ResultField): Sql {
  switch (field.root) {
    case 'row_digest':
      return sql`''`
    case 'inputs':
      return payloadJson(sql`inputs`, ['example', ...field.segments])
    case 'scores':
      return inObject(
        sql`startsWith(${payloadJson(sql`output`, ['scores'])}, '{')`,
        field.segments,
        payloadJson(sql`output`, ['scores', ...field.segments]),
      )
    case 'outputs':
      return firstOf(ofModel(field.segments), ofCall(field.segments))
    case 'output':
      return firstOf(ofCall(field.segments), ofModel(field.segments))
  }
}

/** Inside what the model returned. */
function ofModel(segments: readonly string[]): Sql {
  const under = (key: string) => payloadJson(sql`output`, [key, ...segments])
  return inOutput(segments, sql`if(${payloadJson(sql`output`, ['output'])} = '', ${under('model_output')}, ${under('output')})`)
}

/** Inside what the predict-and-score call returned. */
function ofCall(segments: readonly string[]): Sql {
  return inOutput(segments, segments.length === 0 ? sql`output` : payloadJson(sql`output`, segments))
}

/** A predict-and-score call that returned no object has nothing. */
function inOutput(segments: readonly string[], json: Sql): Sql {
  return inObject(sql`startsWith(trimLeft(output), '{')`, segments, json)
}

/** Only an object has keys, but a part of digits finds the elements of a list too. */
function inObject(isObject: Sql, [first]: readonly string[], json: Sql): Sql {
  return first === undefined || listIndex(first) !== undefined ? sql`if(${isObject}, ${json}, '')` : json
}

function firstOf(json: Sql, other: Sql): Sql {
  return sql`arrayMap(first -> if(first IN ('', 'null'), ${other}, first), [${json}])[1]`
}
