import { z } from 'zod'
import { lenientIntBetween } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { choiceOf } from './choice-of.ts'

/** Longer than any id. */
const maxIdLength = 200

const after = orNull(z.string().max(maxIdLength)).describe(
  'Id of the last item of the page before, which is not repeated. Null: from the beginning',
)
const limit = orDefault(lenientIntBetween(1, 100), 20).describe('Items of a page, 1 to 100')

/** Where a page of a list begins, and how long it is. */
export const pageQuery = { after, limit }

/** A page in either direction. */
export function orderedPageQuery(by: string, fallback: 'asc' | 'desc') {
  return { ...pageQuery, order: orDefault(choiceOf(['asc', 'desc']), fallback).describe(`Order by ${by}`) }
}

/** A page of a list. */
export function pageOf<S extends z.ZodType>(item: S) {
  return z.object({
    object: z.literal('list'),
    data: z.array(item),
    first_id: z.string().describe('Id of the first item. Empty without items'),
    last_id: z.string().describe('Id of the last item, for `after`. Empty without items'),
    has_more: z.boolean().describe('Whether items follow the last one'),
  })
}
