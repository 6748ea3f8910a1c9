import { meanOf, type Measure, type MeasuredRun, valuesOf } from '@heddle/evaluations'
import type { ReactNode } from 'react'
import { countText } from '../../../lib/texts/count-text.ts'
import { Forest } from '../../../plot/drawings.ts'
import { ChartFrame } from '../../../plot/frame.tsx'
import { Skeleton } from '../../../ui/card.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextButton } from '../../../ui/text-button.tsx'
import { numberText } from '../../../lib/texts/number-text.ts'
import type { ComparedRuns } from '../compared-runs.ts'
import type { MeasuredColumn } from '../intervals/measured-columns.ts'
import { differenceText, measureText, measureTitle, signedText } from '../measure-text.ts'
import { pText, toDifferences } from './forest-rows.ts'
import { mayBeChance } from './run-cards.tsx'

interface Properties {
  compared: ComparedRuns
  /** By name; the intervals of one that is missing are still computed. */
  columns: ReadonlyMap<string, readonly MeasuredColumn[]> | undefined
  labels: readonly string[]
  /** Index of the run that is compared with the baseline. */
  candidate: number
  /** The measure by which rows are chosen. */
  name: string
  height: number
  onCandidate: (place: number) => void
  onMeasure: (name: string) => void
}

const axisText = (value: number) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '0')

/** The difference of a run from the baseline in each measure, with its interval; as a table, the means and differences of all runs. */
export function DifferenceChart({ compared, columns, labels, candidate, name, height, onCandidate, onMeasure }: Properties) {
  const { rows, domain, leftOut } = toDifferences(columns ?? new Map(), compared.names, candidate)
  const isPending = compared.names.some((one) => !columns?.has(one))
  const pairs = Math.max(0, ...compared.names.map((one) => columns?.get(one)?.[candidate]?.comparison?.paired_rows ?? 0))
  const notes = [
    `${candidate + 1} against 1, ${pairs.toLocaleString('en')} shared rows`,
    ...(leftOut.length > 0 ? [`not drawn: ${leftOut.join(', ')}`] : []),
  ]
  return (
    <ChartFrame
      title="Difference from baseline"
      note={notes.join('; ')}
      height={height}
      {...(rows.length === 0 && !isPending && { state: 'empty' as const })}
      actions={
        labels.length > 2 && (
          <Select
            inside
            label="Run"
            value={String(candidate)}
            choices={labels.slice(1).map((label, at) => ({ value: String(at + 1), label: `${at + 2}. ${label}` }))}
            onChange={(value) => onCandidate(Number(value))}
            className="max-w-44"
          />
        )
      }
      table={{
        columns: ['Mean, 95% interval', ...labels],
        rows: compared.names.map((one) => [
          <TextButton key="name" onClick={() => onMeasure(one)}>
            {measureTitle(one)}
          </TextButton>,
          ...compared.runs.map((run, at) => (
            <MeasureCell key={labels[at]} name={one} run={run} isDone={columns?.has(one) ?? false} column={columns?.get(one)?.[at]} />
          )),
        ]),
      }}
    >
      {/* The means are in the table before their intervals are known. */}
      {rows.length === 0 && <Skeleton className="mx-2 h-40" />}
      <div className={rows.length === 0 ? 'hidden' : 'px-2'}>
        <Forest
          label={`Differences of ${labels[candidate]} from ${labels[0]}: ${rows.map((row) => `${row.name} ${row.text}`).join(', ')}`}
          rows={rows}
          domain={domain}
          format={axisText}
          axis={rows.every(({ id }) => compared.runs[0]?.measures.get(id)?.isRate) ? 'pp' : 'pp, or % of baseline'}
          picked={name}
          onPick={onMeasure}
        />
      </div>
    </ChartFrame>
  )
}

interface CellProperties {
  name: string
  run: MeasuredRun
  /** Its intervals are computed. */
  isDone: boolean
  column: MeasuredColumn | undefined
}

function MeasureCell({ name, run, isDone, column }: CellProperties) {
  const measure = run.measures.get(name)
  if (!measure) return <span className="text-fg-3">–</span>
  const { comparison, isRate = measure.isRate } = column ?? {}
  const text = (value: number) => measureText(name, value, isRate)
  const interval = column?.mean?.interval
  const difference = comparison?.difference
  return (
    <span aria-busy={!isDone} className="inline-block py-0.5 text-right">
      {text(meanOf(valuesOf(measure)))}{' '}
      <span className="text-fg-3">
        {isDone ? (interval ? `(${text(interval.low)} to ${text(interval.high)})` : '(no interval)') : '(…)'}
      </span>
      {column && difference && comparison && (
        <Lines>
          <span className="font-medium">{differenceText(name, difference.value, isRate)}</span>
          {difference.interval &&
            ` (${signedText(name, difference.interval.low, isRate)} to ${signedText(name, difference.interval.high, isRate)})`}
          {mayBeChance(column) && ', may be chance'}
          <Lines>
            {`${comparison.paired_rows.toLocaleString('en')} rows in both: ${comparison.higher_rows} higher, ${comparison.lower_rows} lower`}
            {comparison.p_value !== null && `; p ${pText(comparison.p_value)}`}
          </Lines>
        </Lines>
      )}
      <Lines>{coverageText(measure, run)}</Lines>
    </span>
  )
}

const Lines = ({ children }: { children: ReactNode }) => <span className="block text-fg-2">{children}</span>

/** Of how many rows and of which share of the trials a mean is. */
function coverageText(measure: Measure, run: MeasuredRun): string {
  const rows = valuesOf(measure).length
  return `${countText(rows, 'row')}, ${numberText(measure.trials / run.trials, true)} of the trials`
}
