import { createLiteralTree } from '../frames/literal.ts'
import { createPropertyNames } from '../frames/property-names.ts'
import { CompiledSize } from './compiled-size.ts'
import { flattenChoices } from './flatten-choices.ts'
import { pruneImpossible } from './prune.ts'
import { anyNode } from './any-node.ts'
import { readBounds, readIntegerBounds } from './read-bounds.ts'
import { resolveReference } from './resolve-reference.ts'
import { placeOf, SchemaError } from './schema-error.ts'
import { assertionsOf, enforcedKeywords, type SchemaObject, type SchemaType, schemaTypes } from './schema-keywords.ts'
import type { ChoiceNode, SchemaNode } from './schema-node.ts'

export const schemaLimits = {
  /** Schemas in a schema, itself included. */
  schemas: 5_000,
  /** Levels of schemas in one another. */
  depth: 100,
  /** Properties of one object. */
  properties: 1_000,
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
 * Compiles a JSON schema for `valueFrame`. Everything that its frames write is valid, and every valid document has a form that they write.
 * @throws SchemaError for a keyword that is not enforced (see `enforcedKeywords`), a value that none may have, a schema that nothing can fulfil, or one that
 * compiles to more than `compiledLimits`
 */
export function compileSchema(schema: unknown, { unsupported = 'refuse', size = new CompiledSize() }: CompileOptions = {}): SchemaNode {
  const node = new SchemaCompiler(schema, unsupported === 'ignore', size).compile(schema, '')
  if (!pruneImpossible(node)) throw new SchemaError('the schema cannot be fulfilled by any finite document')
  flattenChoices(node, size)
  return node
}

class SchemaCompiler {
  readonly #root: unknown
  readonly #ignoresUnsupported: boolean
  readonly #size: CompiledSize
  /** Targets of references by the schemas themselves. */
  readonly #targets = new Map<unknown, ChoiceNode>()
  #schemas = 0
  #characters = 0
  #depth = 0

  constructor(root: unknown, ignoresUnsupported: boolean, size: CompiledSize) {
    this.#root = root
    this.#size = size
    this.#ignoresUnsupported = ignoresUnsupported
  }

  compile(schema: unknown, pointer: string): SchemaNode {
    this.#schemas += 1
    if (this.#schemas > schemaLimits.schemas) throw new SchemaError(`the schema holds more than ${schemaLimits.schemas} schemas`)
    if (this.#depth >= schemaLimits.depth) throw new SchemaError(`the schema is more than ${schemaLimits.depth} levels deep`)
    this.#size.addStates(1)
    this.#depth += 1
    const node = this.#compileUnbounded(schema, pointer)
    this.#depth -= 1
    return node
  }

  #compileUnbounded(schema: unknown, pointer: string): SchemaNode {
    if (schema === true) return anyNode
    if (schema === false) return { kind: 'choice', alternatives: [] }
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
      throw new SchemaError(`${placeOf(pointer)} is ${JSON.stringify(schema)}; it must be an object, true or false`)
    }
    const object = schema as SchemaObject
    if (object['$ref'] !== undefined) return this.#reference(this.#alone(object, '$ref', pointer), pointer)
    if (object['allOf'] !== undefined) return this.#allOf(this.#alone(object, 'allOf', pointer), pointer)
    if (object['anyOf'] !== undefined) return this.#anyOf(this.#alone(object, 'anyOf', pointer), pointer)
    if (object['enum'] !== undefined || object['const'] !== undefined) return this.#constants(object, pointer)
    return this.#byType(object, pointer)
  }

  /** The value of a keyword that cannot stand beside others. */
  #alone(schema: SchemaObject, keyword: string, pointer: string): unknown {
    const beside = assertionsOf(schema).filter((other) => other !== keyword)
    if (beside.length > 0) this.#refuse(`"${beside[0]}" beside "${keyword}"`, pointer)
    return schema[keyword]
  }

  #refuse(what: string, pointer: string): void {
    if (!this.#ignoresUnsupported) throw new SchemaError(`${placeOf(pointer)} has ${what}, which is not supported`)
  }

  #reference(reference: unknown, pointer: string): SchemaNode {
    const target = resolveReference(this.#root, reference, pointer)
    const known = this.#targets.get(target)
    if (known !== undefined) return known
    const node: ChoiceNode = { kind: 'choice', alternatives: [] }
    this.#targets.set(target, node)
    node.alternatives.push(this.compile(target, String(reference).slice(1)))
    return node
  }

  #allOf(value: unknown, pointer: string): SchemaNode {
    const schemas = schemaList(value, 'allOf', pointer)
    if (schemas.length > 1) this.#refuse('"allOf" with more than one schema', pointer)
    return this.compile(schemas[0], `${pointer}/allOf/0`)
  }

  #anyOf(value: unknown, pointer: string): SchemaNode {
    const schemas = schemaList(value, 'anyOf', pointer)
    return { kind: 'choice', alternatives: schemas.map((schema, index) => this.compile(schema, `${pointer}/anyOf/${index}`)) }
  }

  #constants(schema: SchemaObject, pointer: string): SchemaNode {
    const keyword = schema['enum'] === undefined ? 'const' : 'enum'
    const beside = assertionsOf(schema).filter((other) => other !== keyword && other !== 'type')
    if (beside.length > 0) this.#refuse(`"${beside[0]}" beside "${keyword}"`, pointer)
    const values: unknown = keyword === 'enum' ? schema['enum'] : [schema['const']]
    if (!Array.isArray(values)) throw new SchemaError(`${placeOf(pointer)} has an "enum" that is not a list`)
    const types = typesOf(schema, pointer)
    const texts = values.filter((value) => types.some((type) => isOfType(value, type))).map((value) => JSON.stringify(value))
    for (const text of texts) this.#countCharacters(text)
    return {
      kind: 'literal',
      tree: createLiteralTree(
        texts.map((text) => new TextEncoder().encode(text)),
        this.#size,
      ),
    }
  }

  #byType(schema: SchemaObject, pointer: string): SchemaNode {
    const types = typesOf(schema, pointer)
    const known = new Set<string>([...enforcedKeywords.everywhere, ...types.flatMap((type) => enforcedOf(type))])
    for (const keyword of assertionsOf(schema)) if (!known.has(keyword)) this.#refuse(unsupportedName(keyword, types), pointer)
    const alternatives = types.map((type) => this.#ofType(type, schema, pointer))
    return alternatives.length === 1 ? alternatives[0]! : { kind: 'choice', alternatives }
  }

  #ofType(type: SchemaType, schema: SchemaObject, pointer: string): SchemaNode {
    switch (type) {
      case 'string':
        return { kind: 'string', bounds: readBounds(schema, 'minLength', 'maxLength', pointer) }
      case 'number':
        return { kind: 'number' }
      case 'integer':
        return { kind: 'integer', bounds: readIntegerBounds(schema, pointer) }
      case 'boolean':
        return constantNode(['true', 'false'])
      case 'null':
        return constantNode(['null'])
      case 'array':
        return {
          kind: 'array',
          items: schema['items'] === undefined ? anyNode : this.compile(schema['items'], `${pointer}/items`),
          ...readBounds(schema, 'minItems', 'maxItems', pointer),
        }
      case 'object':
        return this.#object(schema, pointer)
    }
  }

  #object(schema: SchemaObject, pointer: string): SchemaNode {
    const { properties = {}, required = [], additionalProperties = true } = schema
    if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) {
      throw new SchemaError(`${placeOf(pointer)} has "properties" that are not an object`)
    }
    if (!Array.isArray(required) || !required.every((name) => typeof name === 'string')) {
      throw new SchemaError(`${placeOf(pointer)} has a "required" that is not a list of names`)
    }
    const additional = additionalProperties === false ? null : this.compile(additionalProperties, `${pointer}/additionalProperties`)
    const names = [...new Set([...Object.keys(properties), ...required])]
    if (names.length > schemaLimits.properties) {
      throw new SchemaError(`${placeOf(pointer)} has ${names.length} properties; ${schemaLimits.properties} are possible`)
    }
    for (const name of names) this.#countCharacters(name)
    this.#size.addTransitions(names.length)
    const mustHave = new Set<string>(required)
    const valueOf = (name: string) =>
      Object.hasOwn(properties, name)
        ? this.compile((properties as SchemaObject)[name], `${pointer}/properties/${escapePart(name)}`)
        : additional
    return {
      kind: 'object',
      names: createPropertyNames(names, this.#size),
      values: names.map(valueOf),
      required: names.reduce((bits, name, place) => (mustHave.has(name) ? bits | (1n << BigInt(place)) : bits), 0n),
      additional,
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

function schemaList(value: unknown, keyword: string, pointer: string): unknown[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new SchemaError(`${placeOf(pointer)} has an "${keyword}" that is not a list of schemas`)
  return value
}

/** `integer` beside `number` says nothing more. All types but it when the schema names none. */
function typesOf(schema: SchemaObject, pointer: string): SchemaType[] {
  const value = schema['type']
  if (value === undefined) return schemaTypes.filter((type) => type !== 'integer')
  const types = Array.isArray(value) ? value : [value]
  const unknown = types.find((type) => !(schemaTypes as readonly unknown[]).includes(type))
  if (types.length === 0 || unknown !== undefined) {
    throw new SchemaError(`${placeOf(pointer)} has "type" ${JSON.stringify(value)}; types are ${schemaTypes.join(', ')}`)
  }
  const named = new Set(types as SchemaType[])
  if (named.has('number')) named.delete('integer')
  return [...named]
}

function enforcedOf(type: SchemaType): readonly string[] {
  return type === 'number' || type === 'boolean' || type === 'null' ? [] : enforcedKeywords[type]
}

function unsupportedName(keyword: string, types: readonly SchemaType[]): string {
  const isOfIntegers = (enforcedKeywords.integer as readonly string[]).includes(keyword)
  return isOfIntegers && types.includes('number') ? `"${keyword}" for "number" (it counts for "integer" alone)` : `"${keyword}"`
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
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

function escapePart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
