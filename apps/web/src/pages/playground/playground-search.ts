import { searchOf, text } from '../../lib/search.ts'
import { maxVariants } from '../../features/playground/draft/variants.ts'

/** Search parameters of the playground. */
export const playgroundSearch = searchOf({
  /** The call whose conversation is opened. */
  call: text,
  /** The version of a prompt to open, as `name:digest`. A call takes precedence. */
  prompt: text,
  /** The models of the variants, with commas between them. */
  models: (value) => text(value)?.split(',').slice(0, maxVariants).join(','),
})
export type PlaygroundSearch = ReturnType<typeof playgroundSearch>

/** The models of an address; the page's initial model if it names none. */
export function modelsOf({ models }: PlaygroundSearch, first: string): string[] {
  const named = models?.split(',').filter((name) => name !== '') ?? []
  return named.length > 0 ? named : [first]
}
