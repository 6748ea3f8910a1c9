/** Which rows of a comparison are shown. */
export const rowChoices = ['all', 'regressions', 'improvements', 'disagreement', 'errors'] as const
export type RowChoice = (typeof rowChoices)[number]
