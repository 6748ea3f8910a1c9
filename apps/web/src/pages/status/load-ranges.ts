/** How far back the charts of the status page go. */
export const loadRanges = ['1h', '6h', '24h'] as const
export type LoadRange = (typeof loadRanges)[number]

export const loadRangeNames: Readonly<Record<LoadRange, string>> = { '1h': '1 h', '6h': '6 h', '24h': '24 h' }

/** Minutes of a range, and of one of its parts: about as many parts as a chart has room for. */
export const loadSteps: Readonly<Record<LoadRange, { minutes: number; step: number }>> = {
  '1h': { minutes: 60, step: 1 },
  '6h': { minutes: 360, step: 5 },
  '24h': { minutes: 1_440, step: 20 },
}
