import { stringifyJson } from '@heddle/json'
import { createLiteralTree } from '../grammar/literal-tree.ts'
import { admits } from './admits.ts'
import { anyNode } from './any-node.ts'
import { compileArrays } from './compile-arrays.ts'
import { compileNumbers } from './compile-numbers.ts'
import { compileObjects } from './compile-objects.ts'
import { compileStrings } from './compile-strings.ts'
import { CompiledSize } from '../grammar/compiled-size.ts'
import { combinations, type Conjunction, ConjunctionReader, nothingYet, type SchemaPart } from './conjunction.ts'
import { flattenChoices } from './flatten-choices.ts'
import { keepDistinct } from './keep-distinct.ts'
import { pruneImpossible } from './prune.ts'
import { placeOf, SchemaError, shownValue } from '../grammar/schema-error.ts'
import { assertionsOf, isNumber, isSchemaType, type SchemaObject, type SchemaType, schemaTypes } from './schema-keywords.ts'
import type { ChoiceNode, SchemaNode } from '../grammar/schema-node.ts'

export const schemaLimits = {
  /** Most schemas in a schema, including itself, and combinations of schemas that apply together. */
  schemas: 5_000,
  /** Levels of schemas in one another. */
  depth: 100,
  /** Characters of all constants and names of properties. */
  characters: 500_000,
}

export interface CompileOptions {
  /** What to do with a keyword that is not enforced: an error that names it, or nothing. Default: an error. */
  unsupported?: 'refuse' | 'ignore'
  /** What several schemas of a request are compiled to together. Default: this one alone is counted. */
  size?: CompiledSize
}

/**
 * Compiles a JSON schema for `valueFrame`. Everything that its frames write is valid, but for alternatives of `oneOf` that meet; a valid document has a form
 * that they write, its properties in the order of the schema, with the exceptions that `docs/structured-output.md` lists.
 * @throws SchemaError for a keyword that is not enforced (see `refusedKeywords`), a value that none may have, a schema that nothing can fulfil, or one that
 * compiles to more than `compiledLimits`
 */
export function compileSchema(schema: unknown, { unsupported = 'refuse', size = new CompiledSize() }: CompileOptions = {}): SchemaNode {
  const ignoresUnsupported = unsupported === 'ignore'
  const refuse = (what: string, pointer: string, wayOut?: string) => {
    if (ignoresUnsupported) return
    throw new SchemaError(`${placeOf(pointer)} has ${what}, which is not supported${wayOut === undefined ? '' : `; ${wayOut}`}`)
  }
  const compiler = new SchemaCompiler(new ConjunctionReader(schema, refuse), { size, refuse, ignoresUnsupported })
  const node = compiler.compile([{ schema, pointer: '' }])
  keepDistinct(node, { size, refuse })
  if (!pruneImpossible(node)) throw new SchemaError('the schema cannot be fulfilled by any finite document')
  flattenChoices(node, size)
  return node
}

interface Context {
  size: CompiledSize
  refuse: (what: string, pointer: string, wayOut?: string) => void
  ignoresUnsupported: boolean
}

/** The node that a conjunction is compiled to, possibly later. */
interface Target {
  node: SchemaNode
  /** True once something refers to it. */
  isShared: boolean
}

class SchemaCompiler {
  readonly #reader: ConjunctionReader
  readonly #context: Context
  readonly #targets = new Map<string, Target>()
  #schemas = 0
  #characters = 0
  #depth = 0

  constructor(reader: ConjunctionReader, context: Context) {
    this.#reader = reader
    this.#context = context
  }

  /** The values that all of the schemas and `given` allow. */
  compile(schemas: readonly SchemaPart[], given: Conjunction = nothingYet): SchemaNode {
    this.#schemas += 1
    if (this.#schemas > schemaLimits.schemas)
      throw new SchemaError(`the schema holds more than ${schemaLimits.schemas} schemas, or combinations of them`)
    if (this.#depth >= schemaLimits.depth) throw new SchemaError(`the schema is more than ${schemaLimits.depth} levels deep`)
    const conjunction = this.#reader.add(given, schemas)
    if (conjunction === null) return { kind: 'choice', alternatives: [] }
    if (conjunction.parts.length + conjunction.choices.length === 0) return anyNode
    const key = this.#reader.keyOf(conjunction)
    const known = this.#targets.get(key)
    if (known !== undefined) {
      known.isShared = true
      return known.node
    }
    this.#context.size.addStates(1)
    this.#depth += 1
    const node = this.#compileNew(key, conjunction)
    this.#depth -= 1
    return node
  }

  #compileNew(key: string, conjunction: Conjunction): SchemaNode {
    const choice: ChoiceNode = { kind: 'choice', alternatives: [] }
    const target: Target = { node: choice, isShared: false }
    this.#targets.set(key, target)
    choice.alternatives.push(...this.#alternativesOf(conjunction))
    if (!target.isShared && choice.alternatives.length === 1) target.node = choice.alternatives[0]!
    return target.node
  }

  #alternativesOf({ parts, choices: [first, ...choices] }: Conjunction): SchemaNode[] {
    if (first !== undefined) return first.of.map((alternative) => this.compile([alternative], { parts, choices }))
    const lists = parts.map(constantsOf).filter((values) => values !== null)
    return lists.length === 0 ? this.#byType(parts) : [this.#constants(lists, parts)]
  }

  /** Constants of all lists that all parts allow. */
  #constants([first, ...more]: readonly unknown[][], parts: readonly SchemaPart<SchemaObject>[]): SchemaNode {
    const types = typesOf(parts)
    const others = more.map((values) => new Set(values.map((value) => stringifyJson(value))))
    const listed = first!
      .filter((value) => types.some((type) => isOfType(value, type)))
      .filter((value) => others.every((texts) => texts.has(stringifyJson(value))))
    const rest = parts.map(withoutConstants).filter(({ schema }) => assertionsOf(schema).length > 0)
    const allowed = rest.length === 0 ? null : this.compile(rest)
    const texts = listed.filter((value) => allowed === null || admits(allowed, value)).map((value) => stringifyJson(value))
    for (const text of texts) this.#countCharacters(text)
    return {
      kind: 'literal',
      tree: createLiteralTree(
        texts.map((text) => new TextEncoder().encode(text)),
        this.#context.size,
      ),
    }
  }

  #byType(parts: readonly SchemaPart<SchemaObject>[]): SchemaNode[] {
    return typesOf(parts).map((type) => this.#ofType(type, parts))
  }

  #ofType(type: SchemaType, parts: readonly SchemaPart<SchemaObject>[]): SchemaNode {
    switch (type) {
      case 'string':
        return compileStrings(parts, this.#context)
      case 'number':
      case 'integer':
        return compileNumbers(type, parts, this.#context.refuse)
      case 'boolean':
        return constantNode(['true', 'false'])
      case 'null':
        return constantNode(['null'])
      case 'array':
        return compileArrays(parts, (schemas) => this.compile(schemas))
      case 'object':
        return compileObjects(parts, {
          ...this.#context,
          compileAll: (schemas) => this.compile(schemas),
          countCharacters: (text) => this.#countCharacters(text),
        })
    }
  }

  #countCharacters(text: string): void {
    this.#characters += text.length
    if (this.#characters <= schemaLimits.characters) return
    throw new SchemaError(`constants and names of the schema have more than ${schemaLimits.characters} characters together`)
  }
}

function constantNode(texts: readonly string[]): SchemaNode {
  return { kind: 'literal', tree: createLiteralTree(texts.map((text) => new TextEncoder().encode(text))) }
}

/** Without keywords that constants decided, or that have been split up already. */
function withoutConstants({ schema, pointer }: SchemaPart<SchemaObject>): SchemaPart<SchemaObject> {
  return { schema: Object.fromEntries(Object.entries(schema).filter(([keyword]) => !decided.has(keyword))), pointer }
}

const decided: ReadonlySet<string> = new Set(['enum', 'const', 'type', ...combinations])

/** Null for none. */
function constantsOf({ schema, pointer }: SchemaPart<SchemaObject>): unknown[] | null {
  const { enum: values, const: value } = schema
  if (values !== undefined && !Array.isArray(values)) throw new SchemaError(`${placeOf(pointer)} has an "enum" that is not a list`)
  if (![value, values].every(isWritable))
    throw new SchemaError(`${placeOf(pointer)} has a constant with a number beyond 1.8e308, which no reader of JSON takes`)
  if (value === undefined) return values ?? null
  const text = stringifyJson(value)
  return values === undefined || values.some((each) => stringifyJson(each) === text) ? [value] : []
}

function isWritable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value !== 'object' || value === null || Object.values(value).every(isWritable)
}

/** The types that all parts allow; `integer` adds nothing to `number`. */
function typesOf(parts: readonly SchemaPart<SchemaObject>[]): SchemaType[] {
  const allowed = parts.map(typesOfPart).filter((types) => types !== null)
  const types = schemaTypes.filter((type) => allowed.every((some) => some.has(type) || (type === 'integer' && some.has('number'))))
  return types.includes('number') ? types.filter((type) => type !== 'integer') : types
}

/** Null for any. */
function typesOfPart({ schema, pointer }: SchemaPart<SchemaObject>): ReadonlySet<SchemaType> | null {
  const value = schema['type']
  if (value === undefined) return null
  const types: unknown[] = Array.isArray(value) ? value : [value]
  if (types.length === 0 || !types.every(isSchemaType)) {
    throw new SchemaError(`${placeOf(pointer)} has "type" ${shownValue(value)}; types are ${schemaTypes.join(', ')}`)
  }
  return new Set(types)
}

function isOfType(value: unknown, type: SchemaType): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return typeof value === 'bigint' || Number.isInteger(value)
    case 'number':
      return isNumber(value)
    default:
      return typeof value === type
  }
}
