import { valuesOf, meanOf } from '@heddle/evaluations'
import { type ReactNode, useMemo } from 'react'
import { Distribution } from '../../../plot/drawings.ts'
import { ChartFrame } from '../../../plot/frame.tsx'
import { Button } from '../../../ui/button.tsx'
import type { ComparedRuns } from '../compared-runs.ts'
import { measureText, measureTitle } from '../measure-text.ts'
import type { RangeSearch } from '../rows/kept-ranges.ts'
import { colourOfRun } from '../run-colours.ts'
import { type DistributionBin, toDistribution } from './distribution-bins.ts'

interface Properties {
  compared: ComparedRuns
  labels: readonly string[]
  /** The measure by which rows are chosen. */
  name: string
  search: RangeSearch
  height: number
  /** In the head: what the chart shows. */
  actions: ReactNode
  onChange: (changed: RangeSearch) => void
}

/** More runs have no legend. */
const maxInLegend = 3
const anyValue: RangeSearch = { from: undefined, to: undefined, of: undefined }

/** How the values of a measure are distributed in each run. A bar, or its number in the table, chooses the rows of that run which are in it. */
export function DistributionChart({ compared, labels, name, search, height, actions, onChange }: Properties) {
  const { from, to, of } = search
  const isRate = compared.runs.every((run) => run.measures.get(name)?.isRate ?? true)
  const values = useMemo(
    () => compared.runs.map((run) => (run.measures.has(name) ? valuesOf(run.measures.get(name)!) : [])),
    [compared.runs, name],
  )
  const { bins, ends } = useMemo(() => toDistribution(values), [values])
  const text = (value: number) => measureText(name, value, isRate)
  const rangeText = ({ values: range }: DistributionBin) =>
    range === undefined ? '–' : range.low === range.high ? text(range.low) : `${text(range.low)} to ${text(range.high)}`
  const series = labels.map((label, run) => ({ id: String(run), name: label, color: colourOfRun(run, labels.length) }))
  const isPicked = (run: number, { values: range }: DistributionBin) =>
    range !== undefined && of === run + 1 && from === range.low && to === range.high
  const picked = series.flatMap((_, group) => bins.flatMap((bin, at) => (isPicked(group, bin) ? [{ group, bin: at }] : [])))[0]
  function pick(run: number, bin: DistributionBin | undefined) {
    if (!bin?.values || (bin.counts[run] ?? 0) === 0) return
    onChange(isPicked(run, bin) ? anyValue : { from: bin.values.low, to: bin.values.high, of: run + 1 })
  }
  return (
    <ChartFrame
      title={measureTitle(name)}
      name="Distribution"
      // A legend takes its room.
      {...(labels.length === 1 && { note: 'rows per value' })}
      height={height}
      actions={actions}
      {...(labels.length > 1 && labels.length <= maxInLegend && { legend: series.map((one, at) => ({ ...one, name: `${at + 1}` })) })}
      {...(bins.length === 0 && { state: 'empty' as const })}
      table={{
        columns: [measureTitle(name), ...labels],
        rows: bins.map((bin) => [
          rangeText(bin),
          ...labels.map((label, run) => (
            <Button
              key={label}
              variant="ghost"
              aria-pressed={isPicked(run, bin)}
              aria-label={`${label}, ${rangeText(bin)}: ${bin.counts[run] === 1 ? '1 row' : `${bin.counts[run]} rows`}`}
              onClick={() => pick(run, bin)}
            >
              {bin.counts[run]?.toLocaleString('en')}
            </Button>
          )),
        ]),
      }}
    >
      <Distribution
        label={`Rows by ${measureTitle(name)}. ${bins.map((bin) => `${rangeText(bin)}: ${bin.counts.join(' and ')}`).join('; ')}`}
        height={height}
        bins={series.map((_, run) => bins.map(({ counts }) => counts[run] ?? 0))}
        series={series}
        format={text}
        names={ends ? undefined : isRate && bins.every(isVerdict) ? bins.map(verdictText) : bins.map(rangeText)}
        {...(ends && { x0: ends[0], x1: ends[1], marks: marksOf(values, labels.length) })}
        picked={picked}
        onPick={(run, bin) => pick(run, bins[bin])}
      />
    </ChartFrame>
  )
}

/** Whether its rows all passed, or all failed. */
const isVerdict = ({ values }: DistributionBin) =>
  values !== undefined && values.low === values.high && (values.low === 0 || values.low === 1)
const verdictText = ({ values }: DistributionBin) => (values?.low === 1 ? 'Pass' : 'Fail')

const marksOf = (values: readonly (readonly number[])[], runs: number) =>
  values.flatMap((own, run) => (own.length === 0 ? [] : [{ at: meanOf(own), color: colourOfRun(run, runs) }]))
