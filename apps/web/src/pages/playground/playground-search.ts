import { textOf } from '../../app/search.ts'
import { maxVariants } from './draft/draft.ts'

/** What the address of the playground says. */
export interface PlaygroundSearch {
  /** The call whose conversation is opened. */
  call?: string | undefined
  /** The models of the variants, with commas between them. */
  models?: string | undefined
}

export const playgroundSearch = (search: Record<string, unknown>): PlaygroundSearch => ({
  call: textOf(search, 'call'),
  models: textOf(search, 'models')?.split(',').slice(0, maxVariants).join(','),
})

/** The models of an address; those that the page begins with where it names none. */
export function modelsOf({ models }: PlaygroundSearch, first: string): string[] {
  const named = models?.split(',').filter((name) => name !== '') ?? []
  return named.length > 0 ? named : [first]
}
