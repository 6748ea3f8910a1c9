/** A statement that passed the guard. */
export interface CheckedStatement {
  kind: 'read' | 'change'
  /** Upper-case first word. */
  verb: string
  /** Text without its FORMAT clause and without a semicolon at the end. */
  text: string
  /** Format of the result. */
  format: string
  /** Names of the parameters in the text. */
  params: ReadonlySet<string>
}

interface Token {
  kind: 'word' | 'quoted' | 'text' | 'number' | 'param' | 'sign'
  value: string
  start: number
}

/** A statement that the engine will not run. */
export class RefusedStatement extends Error {
  override readonly name = 'RefusedStatement'
}

const patterns: readonly [Token['kind'] | 'space', RegExp][] = [
  ['space', /[ \t\r\n]+/y],
  ['word', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['number', /[0-9][0-9A-Za-z_]*/y],
  ['text', /'(?:[^'\\]|\\[\s\S]|'')*'/y],
  ['quoted', /"[^"\\]+"|`[^`\\]+`/y],
  ['param', /\{[a-z][a-z0-9_]{0,30}:[A-Za-z0-9_(), ]+\}/y],
  // A comment is refused rather than skipped: what the guard skips and the engine reads must never differ.
  ['sign', /(?!--|\/\*)[-+*/%=<>!()[\],.:?|;]/y],
]

function nextToken(text: string, start: number): { kind: Token['kind'] | 'space'; value: string } {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = start
    const match = pattern.exec(text)
    if (match) return { kind, value: match[0] }
  }
  throw new RefusedStatement(`statement refused: unexpected ${JSON.stringify(text.slice(start, start + 12))} at position ${start}`)
}

function tokens(text: string): Token[] {
  const found: Token[] = []
  for (let at = 0; at < text.length;) {
    const { kind, value } = nextToken(text, at)
    if (kind !== 'space') found.push({ kind, value, start: at })
    at += value.length
  }
  return found
}

const readVerbs = new Set(['SELECT', 'WITH', 'CHECK'])
/** Allowed changes: the first word of a statement and the words that may follow it. */
const changeVerbs = new Map<string, readonly string[]>([
  ['CREATE', ['TABLE', 'DATABASE']],
  ['ALTER', ['TABLE']],
  ['DROP', ['TABLE', 'DATABASE']],
  ['OPTIMIZE', ['TABLE']],
  ['DELETE', ['FROM']],
  ['TRUNCATE', ['TABLE']],
  ['RENAME', ['TABLE']],
  ['EXCHANGE', ['TABLES']],
  ['INSERT', ['INTO']],
  ['BACKUP', ['TABLE']],
  ['RESTORE', ['TABLE']],
  ['SYSTEM', ['STOP']],
])
/** The only allowed forms of statements that copy, restore and check tables. Copies are below the one folder that the engine may use. */
const copyForms = new Map<string, RegExp>([
  [
    'BACKUP',
    /^BACKUP TABLE [a-z_]+ TO File\('[a-z0-9-]+\/[a-z_]+'\) SETTINGS deduplicate_files=0, backup_threads=[0-9]{1,2}, max_backup_bandwidth=[0-9]{1,12}$/,
  ],
  ['RESTORE', /^RESTORE TABLE [a-z_]+ FROM File\('[a-z0-9-]+\/[a-z_]+'\)( SETTINGS structure_only=1)?$/],
  ['SYSTEM', /^SYSTEM STOP MERGES [a-z_]+$/],
  ['CHECK', /^CHECK TABLE [a-z_]+( PART '[a-zA-Z0-9_-]+')?$/],
])
/** Functions in expressions that reach outside the engine or run code; the list of table functions is read from the engine. */
const refusedFunctions = ['file', 'executable', 'catboostevaluate', 'joinget']
const harmlessFunctions = new Set(['numbers', 'numbers_mt', 'zeros', 'zeros_mt', 'null', 'generateseries', 'generate_series'])

/** Checks statements before they run: the engine's read-only mode does not block everything that reaches outside. */
export interface StatementGuard {
  /** @throws RefusedStatement that names the forbidden part */
  check(text: string): CheckedStatement
}

/** `tableFunctions` are the engine's own names of table functions, so that those of a newer engine are refused as well. */
export function createStatementGuard(tableFunctions: readonly string[]): StatementGuard {
  const refused = new Set([
    ...tableFunctions.map((name) => name.toLowerCase()).filter((name) => !harmlessFunctions.has(name)),
    ...refusedFunctions,
  ])
  return { check: (text) => checkStatement(text, refused) }
}

function refuse(what: string): never {
  throw new RefusedStatement(`statement refused: ${what}`)
}

function wordAt(all: readonly Token[], index: number): string {
  const token = all.at(index)
  return token?.kind === 'word' ? token.value.toUpperCase() : ''
}

function checkStatement(text: string, refused: ReadonlySet<string>): CheckedStatement {
  const all = tokens(text)
  if (all.at(-1)?.value === ';') all.pop()
  const verb = wordAt(all, 0)
  const kind = readVerbs.has(verb) ? 'read' : 'change'
  if (kind === 'change' && !changeVerbs.get(verb)?.includes(wordAt(all, 1)))
    refuse(`${JSON.stringify(text.slice(0, 30))} is not an allowed statement`)
  const hasFormat = wordAt(all, -2) === 'FORMAT' && wordAt(all, -1) !== ''
  const inner = hasFormat ? all.slice(0, -2) : all
  const last = inner.at(-1)
  const innerText = text.slice(0, last ? last.start + last.value.length : 0)
  const form = copyForms.get(verb)
  if (form === undefined) inner.forEach((_, index) => checkToken(inner, index, { verb, refused }))
  else if (!form.test(innerText)) refuse(`${verb} does not have an allowed form`)
  return {
    kind,
    verb,
    text: innerText,
    format: hasFormat ? (all.at(-1)?.value ?? '') : 'TabSeparated',
    params: new Set(inner.filter((token) => token.kind === 'param').map((token) => token.value.slice(1, token.value.indexOf(':')))),
  }
}

function checkToken(all: readonly Token[], index: number, { verb, refused }: { verb: string; refused: ReadonlySet<string> }): void {
  const token = all[index]
  if (!token) return
  const word = wordAt(all, index)
  if (token.value === ';') refuse('more than one statement')
  if (word === 'OUTFILE' || word === 'INFILE') refuse(`${word} at position ${token.start} is not allowed`)
  if (word === 'SETTINGS' && verb !== 'CREATE')
    refuse(`SETTINGS at position ${token.start} is not allowed; pass settings beside the statement`)
  if (verb === 'INSERT' && word === 'FUNCTION') refuse(`FUNCTION at position ${token.start} is not allowed`)
  if (verb === 'CREATE') checkDefinition(all, index)
  if (all[index + 1]?.value === '(' && isRefusedFunction(token, refused)) {
    refuse(`function ${token.value} at position ${token.start} is not allowed`)
  }
}

function isRefusedFunction(token: Token, refused: ReadonlySet<string>): boolean {
  if (token.kind !== 'word' && token.kind !== 'quoted') return false
  const name = (token.kind === 'quoted' ? token.value.slice(1, -1) : token.value).toLowerCase()
  return refused.has(name) || name.startsWith('dictget') || name.startsWith('ai')
}

function checkDefinition(all: readonly Token[], index: number): void {
  if (wordAt(all, index) === 'SELECT') refuse('a table definition cannot contain SELECT')
  if (wordAt(all, index) !== 'ENGINE') return
  const engine = all[index + 1]?.value === '=' ? all[index + 2] : all[index + 1]
  const name = engine?.value ?? ''
  if (!name.endsWith('MergeTree') && name !== 'Distributed' && name !== 'Atomic') refuse(`engine ${JSON.stringify(name)} is not allowed`)
}
