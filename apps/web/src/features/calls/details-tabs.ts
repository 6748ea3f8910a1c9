/** Parts of one call. */
export const detailsTabs = ['messages', 'values', 'attributes', 'feedback', 'cost', 'links', 'raw'] as const
export type DetailsTab = (typeof detailsTabs)[number]
