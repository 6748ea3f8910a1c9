import { bind, sql, type Sql } from '@heddle/datastore'

/** Rows of texts without line breaks, from one text: the engine takes far longer to read a list of ten thousands, and names expressions by it. */
export function listedTexts(texts: readonly string[]): Sql {
  return sql`SELECT arrayJoin(splitByChar('\n', ${bind('String', texts.join('\n'))}))`
}
