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
