import type { EvaluationRun } from '@heddle/evaluations'
import { latencyMeasure, meanOf, valuesOf } from '@heddle/evaluations'
import { Link } from '@tanstack/react-router'
import { GripVertical, Pin, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { useProject } from '../../../lib/use-project.ts'
import { formatDuration } from '../../../lib/time/duration.ts'
import { formatCost } from '../../../lib/texts/format-cost.ts'
import { readableName } from '../../../lib/texts/readable-name.ts'
import { Badge, Delta, NameTag } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { cx } from '../../../lib/cx.ts'
import type { ComparedRuns } from '../compared-runs.ts'
import type { MeasuredColumn } from '../intervals/measured-columns.ts'
import { isLowerBetter, measureText, measureTitle, sizeText } from '../measure-text.ts'
import { moveTo } from '../move-to.ts'
import { colourOfRun } from '../run-colours.ts'

/** Costs of the trials of runs. */
export interface RunCosts {
  /** By the id of the run, where models with a known price ran. */
  dollars: ReadonlyMap<string, number>
  /** They are read. */
  isKnown: boolean
  /** Whether the costs cover all trials, not only those of the selected rows. */
  isOfAll: boolean
}

interface Properties {
  compared: ComparedRuns
  /** By name; the intervals of one that is missing are still computed. */
  columns: ReadonlyMap<string, readonly MeasuredColumn[]> | undefined
  runs: readonly EvaluationRun[]
  labels: readonly string[]
  /** The measure that the cards show. */
  name: string
  costs: RunCosts
  onBaseline: (id: string) => void
  /** Ids in another order; the first is the baseline. */
  onOrder: (ids: readonly string[]) => void
}

/** A card for each run, the baseline first. They are reordered by dragging, or by the arrow keys on their handles. */
export function RunCards({ runs, onOrder, ...properties }: Properties) {
  const [dragged, setDragged] = useState<string>()
  const ids = runs.map(({ id }) => id)
  const move = (id: string, to: number) => to >= 0 && to < ids.length && onOrder(moveTo(ids, id, to))
  return (
    <div className={cx('grid grid-cols-1 gap-3', runs.length === 2 ? 'lg:grid-cols-2' : 'lg:grid-cols-3')}>
      {runs.map((run, at) => (
        <section
          key={run.id}
          aria-label={`Run ${at + 1}. ${readableName(properties.labels[at] ?? '')}`}
          draggable
          onDragStart={({ dataTransfer }) => {
            dataTransfer.setData('text/plain', run.id)
            dataTransfer.effectAllowed = 'move'
            setDragged(run.id)
          }}
          onDragEnd={() => setDragged(undefined)}
          onDragOver={(event) => dragged !== undefined && event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault()
            if (dragged !== undefined && dragged !== run.id) onOrder(moveTo(ids, dragged, at))
          }}
          className={cx('min-w-0 rounded-lg border border-line bg-sheet p-3', dragged === run.id && 'opacity-50')}
        >
          <CardHead
            run={run}
            at={at}
            count={runs.length}
            label={properties.labels[at] ?? run.name}
            onMove={(by) => move(run.id, at + by)}
            onBaseline={() => properties.onBaseline(run.id)}
            onRemove={runs.length > 2 ? () => onOrder(ids.filter((id) => id !== run.id)) : undefined}
          />
          <CardFigures run={run} at={at} baseline={runs[0]?.id ?? ''} {...properties} />
        </section>
      ))}
    </div>
  )
}

interface HeadProperties {
  run: EvaluationRun
  at: number
  count: number
  label: string
  onMove: (by: number) => void
  onBaseline: () => void
  /** Undefined while there are two. */
  onRemove: (() => void) | undefined
}

function CardHead({ run, at, count, label, onMove, onBaseline, onRemove }: HeadProperties) {
  const project = useProject()
  const name = readableName(label)
  function press(event: KeyboardEvent) {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    onMove(by)
  }
  return (
    <div className="flex h-6 items-center gap-2">
      <IconButton label={`Move ${name}`} icon={GripVertical} keys="← →" onKeyDown={press} className="-ml-1.5 size-6! cursor-grab" />
      <span aria-hidden className="size-2.5 shrink-0 rounded-full" style={{ background: colourOfRun(at, count) }} />
      <span className="num shrink-0 text-xs text-fg-3">{at + 1}.</span>
      <Link
        to="/$entity/$project/evaluations/runs/$run"
        params={{ ...project, run: run.id }}
        data-tip={run.model === null ? run.name : `${run.name}, ${run.model}`}
        className="mono min-w-0 leading-6 font-medium hover:underline"
      >
        <NameTag text={label} />
      </Link>
      <span className="grow" />
      {run.status === 'running' && <Badge tone="blue">Running</Badge>}
      {run.status === 'failed' && <Badge tone="red">Failed</Badge>}
      {at === 0 ? (
        <Badge>Baseline</Badge>
      ) : (
        <IconButton label={`Set ${name} as baseline`} icon={Pin} className="size-6!" onClick={onBaseline} />
      )}
      {onRemove && <IconButton label={`Remove ${name}`} icon={X} className="size-6!" onClick={onRemove} />}
    </div>
  )
}

interface FiguresProperties extends Pick<Properties, 'compared' | 'columns' | 'name' | 'costs'> {
  run: EvaluationRun
  at: number
  /** Id of the baseline. */
  baseline: string
}

function CardFigures({ run, at, baseline, compared, columns, name, costs }: FiguresProperties) {
  const measured = compared.runs[at]
  const measure = measured?.measures.get(name)
  const column = columns?.get(name)?.[at]
  const isRate = measure?.isRate ?? false
  const values = measure ? valuesOf(measure) : []
  const latency = measured?.measures.get(latencyMeasure)
  const seconds = latency ? valuesOf(latency) : []
  const cost = costs.dollars.get(run.id)
  const before = at === 0 ? undefined : costs.dollars.get(baseline)
  const endText = (value: number) => measureText(name, value, isRate).replace('%', '')
  return (
    <div className="mt-2 flex items-end gap-4">
      <div className="min-w-0 grow" aria-busy={columns !== undefined && !columns.has(name) ? true : undefined}>
        <div className="num truncate text-xs text-fg-3">
          {name === '' ? 'No scores' : measureTitle(name)}
          {values.length > 0 && `, n ${values.length.toLocaleString('en')}`}
        </div>
        <div className="flex items-baseline gap-2">
          <span className="num text-xl font-semibold tracking-tight">
            {values.length === 0 ? '–' : measureText(name, meanOf(values), isRate)}
          </span>
          <Change column={column} name={name} />
        </div>
        <div className="num flex flex-wrap gap-x-1 text-xs whitespace-nowrap text-fg-3">
          {column?.mean?.interval && (
            <span>
              95% CI {endText(column.mean.interval.low)} – {endText(column.mean.interval.high)}
            </span>
          )}
          {column?.comparison && mayBeChance(column) && <span>· may be chance</span>}
        </div>
      </div>
      <dl className="num grid shrink-0 grid-cols-[auto_auto] gap-x-3 gap-y-0.5 text-xs">
        <dt className="text-fg-3">Mean latency</dt>
        <dd className="text-right">{seconds.length === 0 ? '–' : formatDuration(meanOf(seconds) * 1_000)}</dd>
        <dt className="text-fg-3" data-tip={costs.isOfAll ? 'Of all trials' : 'Of the trials of these rows'}>
          Cost
        </dt>
        <dd className="text-right" data-tip={before === undefined || cost === undefined ? undefined : costChange(cost - before)}>
          {cost !== undefined ? formatCost(cost) : costs.isKnown ? 'No price' : '–'}
        </dd>
      </dl>
    </div>
  )
}

function Change({ column, name }: { column: MeasuredColumn | undefined; name: string }) {
  const value = column?.comparison?.difference.value
  if (column === undefined || value === undefined || value === 0) return null
  return (
    <Delta
      value={value}
      text={sizeText(name, value, column.isRate)}
      good={isLowerBetter(name) ? 'down' : 'up'}
      noise={mayBeChance(column)}
      className="text-xs"
    />
  )
}

/** Its interval contains 0, or there is none. Identical differences of all pairs are not chance. */
export function mayBeChance({ comparison }: MeasuredColumn): boolean {
  const interval = comparison?.difference.interval
  return !interval || (interval.low <= 0 && interval.high >= 0 && interval.low !== interval.high)
}

const costChange = (change: number) =>
  change === 0 ? 'As the baseline' : `${change > 0 ? `▲ +${formatCost(change)}` : `▼ −${formatCost(-change)}`} against the baseline`
