import { InferenceModel } from '@heddle/core-api/types'

/** The models that the listings show. */
export interface Catalogue {
  /** In the order of their source; as they were last read where the source cannot be read now. */
  models(): Promise<readonly InferenceModel[]>
}

/** A catalogue without a model. */
export const emptyCatalogue: Catalogue = { models: async () => [] }

export interface ReadCatalogue {
  models: InferenceModel[]
  /** One line for each ignored entry: its location and the problem. */
  problems: string[]
}

/**
 * Reads a catalogue in the form of the listings themselves: `{"data": [model]}`.
 * @throws Error when the text is not of that form
 */
export function parseCatalogue(text: string): ReadCatalogue {
  const entries = entriesOf(text)
  const read: ReadCatalogue = { models: [], problems: [] }
  entries.forEach((entry, at) => {
    const result = InferenceModel.safeParse(withoutUnset(entry))
    if (result.success) return void read.models.push(result.data)
    const [issue] = result.error.issues
    read.problems.push(`model ${at}: ${[...(issue?.path ?? [])].join('.')}: ${issue?.message}`)
  })
  return read
}

function entriesOf(text: string): unknown[] {
  const content: unknown = JSON.parse(text)
  const data = typeof content === 'object' && content !== null && 'data' in content ? content.data : undefined
  if (!Array.isArray(data)) throw new Error('the catalogue must be an object with a list of models: {"data": []}')
  return data
}

/** Other listings write null for a date that is not set. */
function withoutUnset(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || !('deprecation_date' in entry) || entry.deprecation_date !== null) return entry
  const { deprecation_date: _, ...rest } = entry
  return rest
}
