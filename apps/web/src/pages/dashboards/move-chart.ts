import type { Chart } from '../../features/dashboard-charts/chart.ts'

/** The charts with one of them moved by this many positions, at most to an end. */
export function moveChart(charts: readonly Chart[], id: string, by: number): readonly Chart[] {
  const from = charts.findIndex((chart) => chart.id === id)
  const moved = charts[from]
  if (moved === undefined) return charts
  const to = Math.max(0, Math.min(charts.length - 1, from + by))
  return charts.toSpliced(from, 1).toSpliced(to, 0, moved)
}

/** The charts with one replaced, or with a new one after them. */
export function putChart(charts: readonly Chart[], put: Chart): readonly Chart[] {
  return charts.some(({ id }) => id === put.id) ? charts.map((chart) => (chart.id === put.id ? put : chart)) : [...charts, put]
}

/** The charts with one inserted at an index, or at their end. Unchanged if it is among them. */
export function insertChart(charts: readonly Chart[], chart: Chart, at: number): readonly Chart[] {
  return charts.some(({ id }) => id === chart.id) ? charts : charts.toSpliced(at, 0, chart)
}
