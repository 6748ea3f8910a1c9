import type { NamedOperation, OpenApiDocument, OperationObject, Schema } from './openapi-document.ts'
import { schemasReachedFrom, typeText } from './schema-text.ts'

interface ResourceOptions {
  document: OpenApiDocument
  tag: { name: string; description?: string }
  operations: readonly NamedOperation[]
}

/** The page of a resource: its operations, then the shapes that they name. */
export function resourceMarkdown({ document, tag, operations }: ResourceOptions): string {
  const roots = operations.flatMap(({ operation }) => schemasOf(operation))
  const shapes = schemasReachedFrom(roots, document.components.schemas)
  return [
    `# ${tag.name}`,
    '',
    `${tag.description ?? ''}.`,
    '',
    ...operations.flatMap((one) => operationLines(one, document)),
    ...(shapes.length === 0 ? [] : ['## Shapes', '']),
    ...shapes.flatMap((name) => shapeLines(name, document.components.schemas[name]!)),
  ].join('\n')
}

function schemasOf({ parameters = [], requestBody, responses }: OperationObject): Schema[] {
  const contents = [requestBody, ...Object.values(responses)].flatMap((one) => Object.values(one?.content ?? {}))
  return [...parameters, ...contents].flatMap(({ schema }) => (schema ? [schema] : []))
}

function operationLines({ method, path, operation }: NamedOperation, document: OpenApiDocument): string[] {
  const { operationId, summary, description, security, parameters = [], requestBody, responses } = operation
  const succeeded = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const failed = Object.keys(responses).filter((status) => /^[45]/.test(status))
  return [
    `## ${operationId}`,
    '',
    `${summary}.`,
    '',
    '```http',
    `${method} ${path}`,
    '```',
    '',
    ...(description === undefined ? [] : [escapeHtml(description), '']),
    ...(security?.length === 0 ? ['Needs no key.', ''] : []),
    ...fieldTable(
      'Parameter',
      parameters.map((one) => ({
        name: one.name,
        note: one.in,
        isRequired: one.required === true,
        schema: one.schema ?? {},
        description: one.description,
      })),
    ),
    ...bodyLines('Request body', requestBody?.content ?? {}),
    ...succeeded.flatMap(([status, { content = {}, description: text }]) =>
      Object.keys(content).length === 0 ? [`Response ${status}: ${text ?? 'no body'}.`, ''] : bodyLines(`Response ${status}`, content),
    ),
    `Errors: ${failed.map((status) => `${status} ${lowerFirst(document.components.responses[status]?.description ?? '')}`).join('; ')}.`,
    '',
  ]
}

function bodyLines(title: string, content: Readonly<Record<string, { schema?: Schema }>>): string[] {
  return Object.entries(content).flatMap(([type, { schema = {} }]) => {
    const fields = Object.entries(schema.properties ?? {})
    const head = `${title}, \`${type}\`${fields.length === 0 ? `: ${typeText(schema)}${schema.description === undefined ? '' : `. ${escapeHtml(schema.description)}`}` : ''}`
    return [head, '', ...fieldTable('Field', fieldsOf(schema))]
  })
}

interface Field {
  name: string
  note?: string
  isRequired: boolean
  schema: Schema
  description?: string | undefined
}

const fieldsOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    isRequired: required.includes(name),
    schema,
    description: schema.description,
  }))

function fieldTable(head: string, fields: readonly Field[]): string[] {
  if (fields.length === 0) return []
  const rows = fields.map(({ name, note, isRequired, schema, description = '' }) => {
    const type = [typeText(schema), note, isRequired && 'required'].filter((part) => typeof part === 'string').join(', ')
    return `| \`${name}\` | ${cell(type)} | ${cell(escapeHtml(description))} |`
  })
  return [`| ${head} | Type | Meaning |`, '| --- | --- | --- |', ...rows, '']
}

function shapeLines(name: string, schema: Schema): string[] {
  const fields = fieldsOf(schema)
  const text = schema.description === undefined ? [] : [escapeHtml(schema.description), '']
  const type = fields.length === 0 ? [`${typeText(schema)}`, ''] : []
  return [`### ${name}`, '', ...text, ...type, ...fieldTable('Field', fields)]
}

const cell = (text: string) => text.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', String.raw`\|`)
/** Outside code, `<` would begin HTML. */
const escapeHtml = (text: string) => text.replaceAll(/`[^`]*`|</g, (part) => (part === '<' ? String.raw`\<` : part))
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
