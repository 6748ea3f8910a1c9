import { type LiteralTree, textsOf } from '../grammar/literal-tree.ts'
import type { StringBounds } from '../grammar/pattern-automaton.ts'
import type { CompileAll } from './compile-arrays.ts'
import { compilePatterns, type PatternContext } from './compile-strings.ts'
import type { SchemaPart } from './conjunction.ts'
import { leavesOf } from '../grammar/leaves-of.ts'
import type { PatternState } from '../grammar/pattern-automaton.ts'
import type { SchemaObject } from './schema-keywords.ts'
import type { SchemaNode } from '../grammar/schema-node.ts'

/** The constraints of `propertyNames`. */
export interface NameRule {
  /** Which names are allowed. Null: any. */
  node: SchemaNode | null
  /** Names that are listed. */
  names: string[]
  /** What takes other names, one bit each. */
  automata: PatternState[]
  /** True when the automata with these bits together allow a name that is not listed. */
  isTaken: (taken: number) => boolean
}

type RuleContext = PatternContext & { compileAll: CompileAll }

/** @throws SchemaError for keywords that are not enforced */
export function readNameRule(parts: readonly SchemaPart<SchemaObject>[], context: RuleContext): NameRule {
  const schemas = parts.flatMap(({ schema, pointer }) =>
    schema['propertyNames'] === undefined ? [] : [{ schema: schema['propertyNames'], pointer: `${pointer}/propertyNames` }],
  )
  if (schemas.length === 0) return { node: null, names: [], automata: [], isTaken: () => true }
  const { pointer } = schemas[0]!
  const node = context.compileAll([...schemas, { schema: { type: 'string' }, pointer }])
  const rule: NameRule = { node, names: [], automata: [], isTaken: (taken) => ways.some((bits) => (taken & bits) === bits) }
  /** For each alternative, the bits of its automata. */
  const ways: number[] = []
  const add = (automata: readonly (PatternState | null | undefined)[]) => {
    if (automata.includes(null)) return
    const own = automata.filter((each) => each !== null && each !== undefined)
    ways.push(own.reduce((bits, _, at) => bits | (1 << (rule.automata.length + at)), 0))
    rule.automata.push(...own)
  }
  const within = ({ min, max }: StringBounds) => {
    if (min === 0 && max === Infinity) return []
    return min > max ? [null] : [compilePatterns([`^[^]{${min},${max === Infinity ? '' : max}}$`], pointer, context)]
  }
  for (const leaf of leavesOf(node)) {
    if (leaf.kind === 'literal') rule.names.push(...namesOf(leaf.tree))
    if (leaf.kind === 'string') add(within(leaf.bounds))
    if (leaf.kind === 'pattern') add([leaf.start, ...within({ min: 0, max: leaf.max })])
  }
  return rule
}

function namesOf(tree: LiteralTree): string[] {
  return textsOf(tree).map((text) => JSON.parse(Buffer.from(text, 'latin1').toString()) as string)
}
