import type { Whisker } from '../../../plot/forest.tsx'
import type { MeasuredColumn } from '../intervals/measured-columns.ts'
import { differenceText, isLowerBetter, measureTitle, signedText } from '../measure-text.ts'

export interface DifferenceRows {
  rows: Whisker[]
  /** Ends of the axis, with 0 in between. */
  domain: [number, number]
  /** Measures with a baseline of 0, whose difference cannot be shown on the axis. */
  leftOut: string[]
}

/** Farther ends are drawn at the edge. */
const farthest = 100

/**
 * The differences of a run from the baseline, a row for each measure that both have, for one axis: rates in percentage points, all others in percent
 * of the baseline. `columns` by name, the baseline first; `place` is the index of the run.
 */
export function toDifferences(
  columns: ReadonlyMap<string, readonly MeasuredColumn[]>,
  names: readonly string[],
  place: number,
): DifferenceRows {
  const rows: Whisker[] = []
  const leftOut: string[] = []
  for (const name of names) {
    const [baseline, own] = [columns.get(name)?.[0], columns.get(name)?.[place]]
    if (!own?.comparison || !baseline?.mean) continue
    const row = toRow(name, own, own.comparison, baseline.mean.value)
    if (row) rows.push(row)
    else leftOut.push(name)
  }
  const ends = rows.flatMap(({ value, low = value, high = value }) => [low, value, high])
  const edge = (end: number) => Math.max(-farthest, Math.min(farthest, end))
  const [low, high] = [edge(Math.min(0, ...ends)), edge(Math.max(0, ...ends))]
  // Neither side is so narrow that 0 is at the edge.
  const least = Math.max(1, (high - low) * 0.15)
  return { rows, domain: [Math.min(low, -least), Math.max(high, least)], leftOut }
}

function toRow(
  name: string,
  { isRate }: MeasuredColumn,
  comparison: NonNullable<MeasuredColumn['comparison']>,
  baseline: number,
): Whisker | undefined {
  if (!isRate && baseline === 0) return undefined
  const scale = isRate ? 100 : 100 / Math.abs(baseline)
  const { difference, higher_rows: higher, lower_rows: lower, p_value: p } = comparison
  const { interval, value } = difference
  const [better, worse] = isLowerBetter(name) ? [lower, higher] : [higher, lower]
  return {
    id: name,
    name: measureTitle(name),
    note: `${better.toLocaleString('en')} better · ${worse.toLocaleString('en')} worse${p === null ? '' : ` · p ${pText(p)}`}`,
    value: value * scale,
    low: interval ? interval.low * scale : undefined,
    high: interval ? interval.high * scale : undefined,
    text: differenceText(name, value, isRate),
    ...(interval && { intervalText: `${signedText(name, interval.low, isRate)} to ${signedText(name, interval.high, isRate)}` }),
    good: isLowerBetter(name) ? 'down' : 'up',
  }
}

export const pText = (p: number) => (p < 0.0001 ? '< 0.0001' : p.toPrecision(2))
