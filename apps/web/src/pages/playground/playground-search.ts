import { textOf } from '../../lib/search.ts'
import { maxVariants } from '../../features/playground/draft/variants.ts'

/** Search parameters of the playground. */
export interface PlaygroundSearch {
  /** The call whose conversation is opened. */
  call?: string | undefined
  /** The version of a prompt to open, as `name:digest`. A call takes precedence. */
  prompt?: string | undefined
  /** The models of the variants, with commas between them. */
  models?: string | undefined
}

export const playgroundSearch = (search: Record<string, unknown>): PlaygroundSearch => ({
  call: textOf(search, 'call'),
  prompt: textOf(search, 'prompt'),
  models: textOf(search, 'models')?.split(',').slice(0, maxVariants).join(','),
})

/** The models of an address; the page's initial model if it names none. */
export function modelsOf({ models }: PlaygroundSearch, first: string): string[] {
  const named = models?.split(',').filter((name) => name !== '') ?? []
  return named.length > 0 ? named : [first]
}
