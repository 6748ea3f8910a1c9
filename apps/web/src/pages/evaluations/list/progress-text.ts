/** How far a run is. Rows count once for each of their trials. */
export interface RunProgress {
  done: number
  /** Undefined where the rows of its dataset are not known. */
  total: number | undefined
}

/** For a run that did more than its dataset has, only the number done: the named evaluation is not the one it ran. */
export function progressText({ done, total }: RunProgress): string {
  if (total === undefined || total < done || total === 0) return done === 1 ? '1 row done' : `${done.toLocaleString('en')} rows done`
  return `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${total === 1 ? 'row' : 'rows'} done`
}
