import { toObjectName } from '@heddle/core-api/internal'

/** Kinds of fields for a queue. */
export const fieldKinds = { boolean: 'Yes or no', category: 'One of several', number: 'Number', text: 'Text' } as const
export type FieldKind = keyof typeof fieldKinds

export interface NewField {
  name: string
  kind: FieldKind
  /** Words of a category, separated by commas. */
  words: string
  /** Ends of the range of a number, as typed; empty for none. */
  minimum?: string
  maximum?: string
}

export const wordsOf = ({ words }: NewField): string[] => [
  ...new Set(
    words
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  ),
]

/** A message about a problem of the fields. Undefined if they can be saved. */
export function findFieldProblem(fields: readonly NewField[]): string | undefined {
  const names = fields.map(({ name }) => toObjectName(name))
  if (names.some((name) => !/\w/.test(name))) return 'Each question needs a name with a letter or a digit.'
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined) return `Two questions are named "${repeated}".`
  const few = fields.find((field) => field.kind === 'category' && wordsOf(field).length < 2)
  if (few) return `The question "${few.name}" needs at least two options, separated by commas.`
  const ranged = fields.filter(({ kind }) => kind === 'number')
  const unread = ranged.find(({ minimum, maximum }) => Number.isNaN(boundOf(minimum) ?? 0) || Number.isNaN(boundOf(maximum) ?? 0))
  if (unread) return `The range of the question "${unread.name}" must be of numbers.`
  const empty = ranged.find(({ minimum, maximum }) => (boundOf(minimum) ?? -Infinity) >= (boundOf(maximum) ?? Infinity))
  return empty && `The range of the question "${empty.name}" must end above its start.`
}

/** Undefined where nothing is typed, NaN where it is not a number. */
function boundOf(text = ''): number | undefined {
  if (text.trim() === '') return undefined
  const bound = Number(text)
  return Number.isFinite(bound) ? bound : Number.NaN
}

/** The JSON schema of the values of a field. */
export function toFieldSchema(field: NewField): Record<string, unknown> {
  if (field.kind === 'category') return { type: 'string', enum: wordsOf(field) }
  if (field.kind === 'text') return { type: 'string', maxLength: 10_000 }
  if (field.kind === 'boolean') return { type: 'boolean' }
  const [minimum, maximum] = [boundOf(field.minimum), boundOf(field.maximum)]
  return { type: 'number', ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }
}
