import { callNamePaths, callWordPaths, nestingsOf } from '@heddle/core-api/internal'
import { quoteText } from '../quote.ts'
import type { DerivedColumn } from '../table.ts'
import { escapeMark, tupleOfPaths, wordAtPath } from './json-words.ts'

/** For these, only their presence matters. */
const named: ReadonlySet<string> = new Set(callNamePaths)

/** Each path as a member with dots in its name and, if it has some, as members of members in all ways. */
const type = tupleOfPaths(callWordPaths.flatMap((path) => nestingsOf(path)))

/** How the names of members begin that lead to a word. */
const firstNames = [...new Set(callWordPaths.map((path) => `"${path.split('.')[0]}`))]

/** The word at a path, of `t` that was parsed, as `valueNamed` reads it. */
function wordAt(path: string): string {
  const word = `coalesce(${nestingsOf(path)
    .map((names) => wordAtPath('t', names))
    .join(', ')}, '')`
  return named.has(path) ? `if(${word} = '', '', 'named')` : word
}

/**
 * The words by which the attributes of a call name its kind, one line per path of `callWordPaths`: the facts that determine its kind. Few calls
 * differ in them, and a trace is read without its payloads.
 */
export const kindWordsColumn: DerivedColumn = {
  type: 'LowCardinality(String)',
  // The text is parsed once for all paths.
  from: `arrayMap(t -> arrayStringConcat([${callWordPaths.map(wordAt).join(', ')}], '\\n'), [JSONExtract(attributes, ${quoteText(type)})])[1]`,
  ifNoneOf: { texts: [...firstNames, escapeMark], value: quoteText('\n'.repeat(callWordPaths.length - 1)) },
}
