/** Kinds of fields that a person can choose for a queue. */
export const fieldKinds = { boolean: 'yes or no', category: 'one of some words', number: 'number', text: 'text' } as const
export type FieldKind = keyof typeof fieldKinds

export interface NewField {
  name: string
  kind: FieldKind
  /** Words of a category, separated by commas. */
  words: string
}

/** Names of objects: what is not allowed in them becomes a hyphen. */
export const toObjectName = (name: string): string =>
  name
    .trim()
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 128)

export const wordsOf = ({ words }: NewField): string[] => [
  ...new Set(
    words
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  ),
]

/** What is wrong with the fields, for a person. Undefined when they can be saved. */
export function findFieldProblem(fields: readonly NewField[]): string | undefined {
  const names = fields.map(({ name }) => toObjectName(name))
  if (names.some((name) => !/\w/.test(name))) return 'Each field needs a name with a letter or a digit.'
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined) return `Two fields are named "${repeated}".`
  const few = fields.find((field) => field.kind === 'category' && wordsOf(field).length < 2)
  return few && `The field "${few.name}" needs at least two words to choose from, separated by commas.`
}

/** The JSON schema of the values of a field. */
export function toFieldSchema(field: NewField): Record<string, unknown> {
  if (field.kind === 'category') return { type: 'string', enum: wordsOf(field) }
  if (field.kind === 'text') return { type: 'string', maxLength: 10_000 }
  return { type: field.kind }
}
