const maxBars = 10
const barWidth = 40
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const

interface Bin {
  label: string
  count: number
}

/**
 * A bar for each different value when there are at most 10 of them, else for ten equally wide ranges, each with its lower end and the last with
 * its upper; a line each, with the number of values. `values` must not be empty.
 */
export function drawHistogram(values: readonly number[], format: (value: number) => string): string {
  const distinct = [...new Set(values)].toSorted((one, other) => one - other)
  const bins = distinct.length <= maxBars ? countEach(values, distinct, format) : countRanges(values, distinct, format)
  const most = Math.max(...bins.map((bin) => bin.count))
  const labelWidth = Math.max(...bins.map((bin) => bin.label.length))
  return bins.map(({ label, count }) => `${label.padStart(labelWidth)} │${barOf(count / most)} ${count}`).join('\n')
}

function countEach(values: readonly number[], distinct: readonly number[], format: (value: number) => string): Bin[] {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return distinct.map((value) => ({ label: format(value), count: counts.get(value) ?? 0 }))
}

function countRanges(values: readonly number[], distinct: readonly number[], format: (value: number) => string): Bin[] {
  const [low, high] = [distinct[0] ?? 0, distinct.at(-1) ?? 0]
  // Divided first, since the distance of two doubles may be infinite.
  const width = high / maxBars - low / maxBars
  const counts = Array.from({ length: maxBars }, () => 0)
  for (const value of values) {
    const place = Math.min(maxBars - 1, Math.floor(value / width - low / width))
    counts[place] = (counts[place] ?? 0) + 1
  }
  return counts.map((count, index) => ({ label: `${format(low + index * width)} … ${format(low + (index + 1) * width)}`, count }))
}

/** Counts above 0 are drawn at least as a sliver. */
function barOf(share: number): string {
  const length = share === 0 ? 0 : Math.max(1, Math.round(share * barWidth * 8))
  return '█'.repeat(Math.floor(length / 8)) + (eighths[length % 8] ?? '')
}
