import { bind, sql, type Sql } from '@heddle/datastore'
import { firstMemberOpening, rawSpanMarkers } from '../../payload/raw-span-text.ts'

/** Members of a raw span that never repeat a column. */
const ownMembers = new Set(['name', 'context', 'kind', 'parent_id', 'start_time', 'end_time', 'status', 'resource', 'scope'])

/** The text of the raw span in which to read a path that begins with `otel_span`, filled where the path may lead to a repeated part. */
export function rawSpan([, member]: readonly string[]): Sql {
  if (member !== undefined && ownMembers.has(member)) return sql`otel`
  const inputs = filled(sql`otel`, rawSpanMarkers.inputs, firstMember(sql`inputs`))
  const output = filled(inputs, rawSpanMarkers.output, firstMember(sql`output`))
  return filled(output, rawSpanMarkers.attributes, sql`attributes`)
}

function filled(text: Sql, marker: string, part: Sql): Sql {
  return sql`replaceOne(${text}, ${bind('String', marker)}, ${part})`
}

/** The value of the first member of an object, the whole text where it is none. */
function firstMember(column: Sql): Sql {
  const opening = sql`extract(${column}, ${bind('String', firstMemberOpening.source)})`
  return sql`if(startsWith(${column}, ${bind('String', '{"')}), substring(${column}, length(${opening}) + 1, length(${column}) - length(${opening}) - 1), ${column})`
}
