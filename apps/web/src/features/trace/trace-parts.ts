/** Views of the calls of a trace, in addition to the timeline. */
export const traceViews = ['messages', 'flame', 'graph'] as const
export type TraceView = (typeof traceViews)[number]

/** Parts of one call. */
export const detailsTabs = ['messages', 'values', 'attributes', 'feedback', 'cost', 'links', 'raw'] as const
export type DetailsTab = (typeof detailsTabs)[number]
