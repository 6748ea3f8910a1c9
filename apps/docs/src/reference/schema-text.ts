import type { Schema } from './openapi-document.ts'

const maxEnumValues = 24

/** A schema as a short type in Markdown: `string or null`, a list of a shape with a link to it below on the page. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return linkTo(nameOf(schema.$ref))
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum)
    return [...schema.enum.slice(0, maxEnumValues).map(code), ...(schema.enum.length > maxEnumValues ? ['…'] : [])].join(', ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(typeText))].join(' or ')
  if (schema.allOf) return schema.allOf.map(typeText).join(' and ')
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return 'any value'
  return types.map((type) => textOfType(type, schema)).join(' or ')
}

function textOfType(type: string, schema: Schema): string {
  if (type === 'array' && schema.prefixItems) return `list of ${schema.prefixItems.map(typeText).join(', then ')}`
  if (type === 'array') return `list of ${schema.items ? typeText(schema.items) : 'any values'}`
  if (type === 'object' && typeof schema.additionalProperties === 'object')
    return `object of ${typeText(schema.additionalProperties)} by name`
  if (type === 'object' && schema.properties) return `object with ${Object.keys(schema.properties).map(code).join(', ')}`
  if (type === 'string' && schema.format === 'binary') return 'bytes'
  return type
}

/** Names of the shapes that schemas refer to, directly or through others, in the order of the alphabet. */
export function schemasReachedFrom(roots: readonly Schema[], schemas: Readonly<Record<string, Schema>>): string[] {
  const found = new Set<string>()
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, one] of Object.entries(value)) {
      if (key !== '$ref' || typeof one !== 'string') visit(one)
      else if (schemas[nameOf(one)] && !found.has(nameOf(one))) {
        found.add(nameOf(one))
        visit(schemas[nameOf(one)])
      }
    }
  }
  for (const root of roots) visit(root)
  return [...found].toSorted()
}

const nameOf = (ref: string) => ref.split('/').at(-1) ?? ''
const linkTo = (name: string) => `[${name}](#${name.toLowerCase()})`
const code = (value: unknown) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
