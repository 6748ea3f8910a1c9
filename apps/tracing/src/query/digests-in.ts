import { bind, sql, type Sql } from '@heddle/datastore'

/** Digests of files and rows have 43 letters and digits, those of tables 64 hexadecimal digits. */
const digestPattern = '\\b(?:[A-Za-z0-9]{43}|[0-9a-f]{64})\\b'

/** Every substring that has the form of a digest, one per row. */
export function digestsIn(text: Sql): Sql {
  return sql`arrayJoin(extractAll(${text}, ${bind('String', digestPattern)}))`
}
