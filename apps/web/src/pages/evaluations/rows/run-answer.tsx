import type { EvalTrial } from '@heddle/core-api/types'
import { type ScoreValue, scoreValues } from '@heddle/evaluations'
import { ExternalLink, ListTree } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useProject } from '../../../lib/use-project.ts'
import { formatDuration } from '../../../lib/time/duration.ts'
import { LongText } from '../../../ui/texts/long-text.tsx'
import { toText } from '../../../lib/texts/to-text.ts'
import { cx } from '../../../lib/cx.ts'
import { Badge, Delta, NameTag, Score } from '../../../ui/badge.tsx'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { Fold } from '../../../ui/fold.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { jsonStructure } from '../../../features/diff/json-diff/json-structure.ts'
import { ShowJsonDiff } from '../../../features/diff/json-diff/show-json-diff.tsx'
import { ShowDiff } from '../../../features/diff/show-diff.tsx'
import { type ComparedRuns, changeOf, type MatrixRow, valuesInRow } from '../compared-runs.ts'
import { numberText } from '../../../lib/texts/number-text.ts'
import { sizeText } from '../measure-text.ts'
import { colourOfRun } from '../run-colours.ts'
import { trialLatency } from '../trial-latency.ts'
import { CostMark } from '../../../features/costs/cost-source.tsx'
import { formatCost } from '../../../lib/texts/format-cost.ts'
import { comparableText } from './comparable-text.ts'
import { MarkedText } from './marked-text.tsx'
import { Verdict } from './result-rows.tsx'
import type { OutputView } from './row-choices.ts'
import { ScoreByHand } from './score-by-hand.tsx'
import { type ScoreReason, scoreReasons } from './score-reasons.ts'
import { ShownValue } from './shown-value.tsx'

/** Most characters of an output in which changed words are marked. */
const markedCharacters = 20_000
/** Longer reasons are in a box that scrolls. */
const shortReason = 600

interface Properties {
  label: string
  /** Id of the run. */
  run: string
  /** Its index among `count` runs. */
  at: number
  count: number
  compared: ComparedRuns
  /** The measure by which rows are listed; empty without any. */
  name: string
  row: MatrixRow
  /** Output of the baseline; undefined if there is none to compare with. */
  comparedWith: unknown
  view: OutputView | 'whole' | 'marked'
}

/** Its name, its output and its scores are as high as those of the runs next to it. */
const runRows = 'flex min-w-0 flex-col lg:row-span-3 lg:grid lg:grid-rows-subgrid'

/** Results of one run for a row: each trial with its output, scores with reasons, latency, and trace. */
export function RunAnswer(properties: Properties) {
  const { label, at, count, compared, name, row } = properties
  const cell = row.cells[at]
  const first = row.cells[0]?.trials[0]
  const change =
    at === 0 || name === ''
      ? 0
      : changeOf(
          [0, at].map((place) => valuesInRow(compared.runs, name, row.place)[place] ?? Number.NaN),
          name,
        )
  return (
    <section aria-label={`Run ${at + 1}`} className={cx(runRows, at > 0 && 'border-line max-lg:border-t lg:border-l')}>
      <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line bg-sunken px-4">
        <span aria-hidden className="size-2.5 shrink-0 rounded-full" style={{ background: colourOfRun(at, count) }} />
        <h3 className="mono min-w-0 font-medium" data-cut="" data-tip={label}>
          <NameTag text={label} />
        </h3>
        <span className="grow" />
        {count > 1 && (at === 0 ? <Badge>Baseline</Badge> : change < 0 && <Badge tone="red">Regression</Badge>)}
      </header>
      {!cell && <p className="p-4 text-fg-3">No output in this run</p>}
      <div className={cell?.trials.length === 1 ? 'contents' : 'flex flex-col lg:row-span-2'}>
        {cell?.trials.map((trial, place) => (
          <Trial
            key={trial.predict_and_score_call_id}
            {...properties}
            trial={trial}
            place={place}
            isOne={cell.trials.length === 1}
            before={at === 0 ? undefined : (row.cells[0]?.trials[place] ?? first)}
          />
        ))}
      </div>
    </section>
  )
}

interface TrialProperties extends Properties {
  trial: EvalTrial
  /** From 0. */
  place: number
  isOne: boolean
  /** The trial of the baseline that it is set against. */
  before: EvalTrial | undefined
}

function Trial({ trial, run, place, isOne, before, comparedWith, view }: TrialProperties) {
  const { entity, project } = useProject()
  const { model_output: output, scores, predict_and_score_call_id: call } = trial
  const values = scoreValues(scores)
  const reasons = scoreReasons(scores)
  const known = new Map(before ? scoreValues(before.scores).map((one) => [one.name, one.value]) : [])
  return (
    <div className={isOne ? 'contents' : cx('flex flex-col', place > 0 && 'border-t border-line')}>
      {!isOne && <h4 className="px-4 pt-3 text-xs font-medium text-fg-2">Trial {place + 1}</h4>}
      <div className="min-h-24 min-w-0 p-4">
        <Output output={output} comparedWith={comparedWith} view={view} label={`Output of trial ${place + 1}`} />
      </div>
      <div className="flex flex-col">
        <ul className="flex flex-col">
          {values.map((score, at) => (
            <ScoreLine
              key={score.name}
              score={score}
              before={known.get(score.name)}
              // The text of a scorer is shown with its first value.
              reasons={isFirstOf(values, at) ? reasons.filter(({ name }) => scorerOf(name) === scorerOf(score.name)) : []}
              place={place}
            />
          ))}
          {reasons
            .filter(({ name }) => !values.some((score) => scorerOf(score.name) === scorerOf(name)))
            .map(({ name, text }) => (
              <Line key={name} name={name}>
                <Reason name={name} text={text} place={place} />
              </Line>
            ))}
        </ul>
        <Facts trial={trial} before={before} />
        <div className="flex flex-wrap items-center gap-1 border-t border-line px-2.5 py-2">
          <ButtonLink variant="ghost" icon={ExternalLink} to="/$entity/$project/calls/$call" params={{ entity, project, call }}>
            Open trace
          </ButtonLink>
          <ScoreByHand trial={trial} run={run} />
        </div>
        {Object.keys(scores).length > 0 && (
          <div className="px-4 pb-3">
            <Fold icon={ListTree} title="All scores">
              <LongText text={toText(scores)} label={`Scores of trial ${place + 1}`} />
            </Fold>
          </div>
        )}
      </div>
    </div>
  )
}

const scorerOf = (name: string) => name.split('.')[0]
const isFirstOf = (values: readonly ScoreValue[], at: number) =>
  values.findIndex(({ name }) => scorerOf(name) === scorerOf(values[at]?.name ?? '')) === at

function Output({ output, comparedWith, view, label }: Pick<Properties, 'comparedWith' | 'view'> & { output: unknown; label: string }) {
  if (output === null)
    return (
      <Notice tone="error" title="No output">
        The model failed or is still running. See its trace.
      </Notice>
    )
  if (comparedWith !== undefined && (view === 'differences' || view === 'lines'))
    return <OutputDifferences before={comparedWith} after={output} isByLines={view === 'lines'} />
  if (view === 'marked' && typeof output === 'string' && typeof comparedWith === 'string')
    return (
      <div role="region" aria-label={label} className="prose whitespace-pre-wrap wrap-anywhere">
        <MarkedText before={comparedWith} after={output} characters={markedCharacters} />
      </div>
    )
  return <ShownValue value={output} label={label} />
}

/** For two JSON values the differing parts, otherwise the lines. */
function OutputDifferences({ before, after, isByLines }: { before: unknown; after: unknown; isByLines: boolean }) {
  const [old, now] = useMemo(() => (isByLines ? [] : [jsonStructure(before), jsonStructure(after)]), [before, after, isByLines])
  if (old && now) return <ShowJsonDiff before={old} after={now} />
  return <ShowDiff before={comparableText(before)} after={comparableText(after)} />
}

interface ScoreProperties {
  score: ScoreValue
  /** Value of the baseline. */
  before: ScoreValue['value'] | undefined
  reasons: readonly ScoreReason[]
  place: number
}

function ScoreLine({ score: { name, value }, before, reasons, place }: ScoreProperties) {
  const change = before === undefined ? 0 : Number(value) - Number(before)
  const isVerdict = typeof value === 'boolean'
  return (
    <Line name={name} isWorse={change < 0}>
      <div className="flex min-h-5 items-center gap-2">
        {isVerdict ? (
          <span className="inline-flex items-center gap-1.5">
            <Verdict isPassed={value} />
            {value ? 'Pass' : 'Fail'}
          </span>
        ) : value >= 0 && value <= 1 ? (
          <Score value={value} text={numberText(value, false)} />
        ) : (
          <span className="num font-medium">{numberText(value, false)}</span>
        )}
        {change !== 0 && <Delta value={change} text={isVerdict ? '' : sizeText(name, change, false)} className="text-xs" />}
      </div>
      {reasons.map((reason) => (
        <Reason key={reason.name} {...reason} place={place} />
      ))}
    </Line>
  )
}

function Line({ name, isWorse = false, children }: { name: string; isWorse?: boolean; children: ReactNode }) {
  return (
    <li
      className={cx('grid grid-cols-[minmax(72px,96px)_minmax(0,1fr)] gap-x-2 border-t border-line px-4 py-2.5', isWorse && 'bg-red-soft')}
    >
      <span className="truncate text-fg-2" data-cut="" data-tip={name}>
        {name}
      </span>
      <div className="min-w-0">{children}</div>
    </li>
  )
}

const Reason = ({ name, text, place }: ScoreReason & { place: number }) =>
  text.length > shortReason ? (
    <LongText text={text} label={`${name} of trial ${place + 1}`} />
  ) : (
    <p className="mt-1 text-xs whitespace-pre-wrap wrap-anywhere text-fg-2">{text}</p>
  )

function Facts({ trial, before }: { trial: EvalTrial; before: EvalTrial | undefined }) {
  const [seconds, earlier] = [trialLatency(trial), trialLatency(before)]
  const { total_tokens: tokens, total_cost: cost } = trial
  if (seconds === undefined && tokens === null && cost === null) return null
  const change = seconds === undefined || earlier === undefined ? 0 : seconds - earlier
  return (
    <dl className="num flex flex-wrap gap-x-5 gap-y-1 border-t border-line px-4 py-2.5 text-xs leading-5">
      {seconds !== undefined && (
        <div className="flex gap-1.5">
          <dt className="text-fg-3">Latency</dt>
          <dd>{formatDuration(seconds * 1_000)}</dd>
          {change !== 0 && (
            <dd>
              <Delta value={change} text={formatDuration(Math.abs(change) * 1_000)} good="down" />
            </dd>
          )}
        </div>
      )}
      {tokens !== null && (
        <div className="flex gap-1.5">
          <dt className="text-fg-3">Tokens</dt>
          <dd>{Number(tokens).toLocaleString('en')}</dd>
        </div>
      )}
      {cost !== null && (
        <div className="flex gap-1.5">
          <dt className="text-fg-3">Cost</dt>
          <dd>
            {formatCost(Number(cost))}
            <CostMark source={{ pricedAs: trial.priced_as ?? [], reported: trial.reported_uses ?? 0 }} />
          </dd>
        </div>
      )}
    </dl>
  )
}
