/** Views of the calls of a trace, in addition to the timeline. */
export const traceViews = ['messages', 'flame', 'graph'] as const
export type TraceView = (typeof traceViews)[number]
