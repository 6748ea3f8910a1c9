import { bind, sql, type Sql } from '@heddle/datastore'
import { firstMemberOpening, type RawSpanMarker, rawSpanMarkers } from '../../payload/raw-span-text.ts'
import { type LeafName, leafPatterns, leavesOn } from '../../payload/repeated-leaves.ts'

const payloadMarkers = ['inputs', 'output', 'attributes'] as const satisfies readonly RawSpanMarker[]

/** For each member of a raw span that is not an attribute: the marker that may be in its place, or that brings it. */
const ownMembers: ReadonlyMap<string, readonly RawSpanMarker[]> = new Map([
  ['name', []],
  ['context', ['context']],
  ['kind', []],
  ['parent_id', ['place']],
  ['start_time', ['place']],
  ['end_time', ['place']],
  ['status', []],
  ['resource', []],
  ['scope', []],
])

/** The text of the raw span in which to read a path that begins with `otel_span`, filled where the path may lead to a repeated part. */
export function rawSpan([, ...path]: readonly string[]): Sql {
  return markersFor(path).reduce(
    (text, marker) => sql`replaceOne(${text}, ${bind('String', rawSpanMarkers[marker])}, ${parts[marker]})`,
    sql`otel`,
  )
}

function markersFor([member, ...path]: readonly string[]): readonly RawSpanMarker[] {
  // Payloads fill their parts last: a text in one must not look like a marker.
  if (member === undefined) return ['context', 'place', ...leafMarkers([]), ...payloadMarkers]
  const own = ownMembers.get(member)
  if (own !== undefined) return own
  return member === 'attributes' ? [...leafMarkers(path), ...payloadMarkers] : payloadMarkers
}

function leafMarkers(path: readonly string[]): RawSpanMarker[] {
  return leavesOn(path).map(({ name }) => name)
}

const quoted = (text: Sql) => sql`concat('"', ${text}, '"')`
const startedAt = quoted(naiveText(sql`started_at`))
const endedAt = sql`ifNull(${quoted(naiveText(sql`ended_at`))}, 'null')`

const parts: Readonly<Record<RawSpanMarker, Sql>> = {
  inputs: firstMember(sql`inputs`),
  output: firstMember(sql`output`),
  attributes: sql`attributes`,
  context: sql`concat('{"trace_id":"', trace_id, '","span_id":"', id, '","trace_state":""}')`,
  place: sql`concat(if(parent_id = '', 'null', ${quoted(sql`parent_id`)}), ',"start_time":', ${startedAt}, ',"end_time":', ${endedAt})`,
  response_id: leaf('response_id', sql`attributes`),
  input_tokens: leaf('input_tokens', sql`summary`),
  output_tokens: leaf('output_tokens', sql`summary`),
}

function leaf(name: LeafName, column: Sql): Sql {
  return sql`extract(${column}, ${bind('String', leafPatterns[name].source)})`
}

/** As `toNaiveText` writes it. */
function naiveText(time: Sql): Sql {
  const text = sql`formatDateTime(${time}, '%Y-%m-%dT%H:%i:%S.%f', 'UTC')`
  return sql`replaceOne(${text}, '.000000', '')`
}

/** The value of the first member of an object, the whole text where it is none. */
function firstMember(column: Sql): Sql {
  const opening = sql`extract(${column}, ${bind('String', firstMemberOpening.source)})`
  return sql`if(startsWith(${column}, ${bind('String', '{"')}), substring(${column}, length(${opening}) + 1, length(${column}) - length(${opening}) - 1), ${column})`
}
