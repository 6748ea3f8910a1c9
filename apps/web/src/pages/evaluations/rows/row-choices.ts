/** Which rows of a comparison are shown. */
export const rowChoices = ['all', 'shared', 'regressions', 'improvements', 'disagreement', 'errors'] as const
export type RowChoice = (typeof rowChoices)[number]

export const choiceNames: Readonly<Record<RowChoice, string>> = {
  all: 'all',
  shared: 'in every run',
  regressions: 'regressions',
  improvements: 'improvements',
  disagreement: 'disagreement',
  errors: 'errors',
}

/**
 * `change`: falls, then rises, the largest first, then what is equal. `worst`: by the value in the last run, the worst first.
 * `row`: as the server gives them.
 */
export const rowOrders = ['change', 'worst', 'row'] as const
export type RowOrder = (typeof rowOrders)[number]

/** How the outputs of a row are shown beside that of the baseline: the parts of JSON that differ and the lines of all else, or the lines of all. */
export const outputViews = ['differences', 'lines'] as const
export type OutputView = (typeof outputViews)[number]
