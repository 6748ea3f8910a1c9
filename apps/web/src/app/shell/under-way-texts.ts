import { countText } from '../../lib/texts/count-text.ts'

/** Runs of evaluations and training jobs that are under way, and items that are left for the user. Of jobs it is only known whether there is one. */
export interface UnderWay {
  runs: number
  items: number
  jobs: number
}

const maxItems = 999

/** The count that a link shows. Undefined where a dot says enough. */
export const countOf = (what: keyof UnderWay, count: number): string | undefined =>
  what === 'items' ? (count > maxItems ? `${maxItems}+` : String(count)) : undefined

/** The same in words. */
export function textOf(what: keyof UnderWay, count: number): string {
  if (what === 'items') return `${countOf(what, count)} ${count === 1 ? 'item' : 'items'} left for you`
  if (what === 'jobs') return 'Training is running'
  return `${countText(count, 'evaluation is', 'evaluations are')} running`
}
