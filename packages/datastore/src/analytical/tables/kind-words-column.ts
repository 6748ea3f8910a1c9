import { quoteText } from '../engine/statements/quote.ts'
import type { DerivedColumn } from '../table.ts'

/**
 * Where attributes may say what a call did, in the order of the lines of `kind_words`. The column of rows that are stored has these lines: a path may be
 * added at the end, with a migration, and none may be moved.
 */
export const kindWordPaths = [
  'operation_name',
  'gen_ai.operation.name',
  'ai.operationId',
  'weave.kind',
  'kind',
  'openinference.span.kind',
  'traceloop.span.kind',
  'weave.score',
  '_weave_eval_meta.score',
  'tool_name',
  'agent_name',
] as const

/** Of these it is enough to know that they are there. */
const named = new Set<string>(['tool_name', 'agent_name'])

/** Members that are looked for, by their names: texts, or members of members. */
interface Members {
  [name: string]: 'text' | Members
}

/** Each path as a member with dots in its name and, if it has some, as members of members. */
const members: Members = {}
for (const path of kindWordPaths) {
  members[path] = 'text'
  const names = path.split('.')
  const last = names.pop() ?? ''
  let within = members
  for (const name of names) within = (within[name] ??= {}) as Members
  within[last] = 'text'
}

function tupleOf(of: Members): string {
  const elements = Object.entries(of).map(([name, member]) => `\`${name}\` ${member === 'text' ? 'Nullable(String)' : tupleOf(member)}`)
  return `Tuple(${elements.join(', ')})`
}

/** The word at a path, of `t` that was parsed; the member with dots in its name wins. */
function wordAt(path: string): string {
  const element = (tuple: string, name: string) => `tupleElement(${tuple}, ${quoteText(name)})`
  const word = `coalesce(${element('t', path)}, ${path.split('.').reduce(element, 't')}, '')`
  return named.has(path) ? `if(${word} = '', '', 'named')` : word
}

/**
 * What the attributes of a call say that it did, a line for each of `kindWordPaths`: the facts from which its kind follows. Few calls differ in them,
 * and a trace is read without its payloads.
 */
export const kindWordsColumn: DerivedColumn = {
  type: 'LowCardinality(String)',
  // The text is parsed once for all paths.
  from: `arrayMap(t -> arrayStringConcat([${kindWordPaths.map(wordAt).join(', ')}], '\\n'), [JSONExtract(attributes, ${quoteText(tupleOf(members))})])[1]`,
}
