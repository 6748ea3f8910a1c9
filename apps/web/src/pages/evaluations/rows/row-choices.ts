/** Which rows of a comparison are shown. */
export const rowChoices = ['all', 'shared', 'regressions', 'improvements', 'disagreement', 'errors'] as const
export type RowChoice = (typeof rowChoices)[number]

/**
 * `change`: drops, biggest first, then rises, biggest first, then unchanged rows. `worst`: by the value in the last run, the worst first.
 * `row`: as the server gives them.
 */
export const rowOrders = ['change', 'worst', 'row'] as const
export type RowOrder = (typeof rowOrders)[number]

/** How the outputs of a row are compared with that of the baseline: the differing parts of JSON and the lines of other texts, or always lines. */
export const outputViews = ['differences', 'lines'] as const
export type OutputView = (typeof outputViews)[number]
