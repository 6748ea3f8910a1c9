import { countText } from '../../../lib/texts/count-text.ts'

/** How far a run is. Rows count once for each of their trials. */
export interface RunProgress {
  done: number
  /** Undefined where the rows of its dataset are not known. */
  total: number | undefined
}

/** For a run that did more than its dataset has, only the number done: the named evaluation is not the one it ran. */
export function progressText({ done, total }: RunProgress): string {
  if (total === undefined || total < done || total === 0) return countText(done, 'row done', 'rows done')
  return `${done.toLocaleString('en')} of ${countText(total, 'row')} done`
}
