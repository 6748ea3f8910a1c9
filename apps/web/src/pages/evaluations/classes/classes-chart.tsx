import { type ReactNode, useMemo } from 'react'
import { countText } from '../../../lib/texts/count-text.ts'
import { Distribution } from '../../../plot/drawings.ts'
import { ChartFrame } from '../../../plot/frame.tsx'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { numberText } from '../../../lib/texts/number-text.ts'
import type { ComparedRuns } from '../compared-runs.ts'
import { colourOfRun } from '../run-colours.ts'
import type { ClassSearch } from './class-choice.ts'
import { classScores, maxClassCharacters, maxClasses } from './class-scores.ts'

interface Properties {
  compared: ComparedRuns
  labels: readonly string[]
  search: ClassSearch
  height: number
  /** In the head: what the chart shows. */
  actions: ReactNode
  onChange: (changed: ClassSearch) => void
}

const allRows: ClassSearch = { is: undefined, isIn: undefined }
const maxInLegend = 3

/** How often each run has each class of a score: a text, or true or false. A bar, or its number in the table, chooses the rows of its class. */
export function ClassesChart({ compared, labels, search, height, actions, onChange }: Properties) {
  const { scores, freeTexts } = useMemo(() => classScores(compared.rows, compared.runs.length), [compared])
  const shown = scores.find(({ name }) => name === search.score) ?? scores[0]
  const isUnknown = search.score !== undefined && shown?.name !== search.score
  const classes = shown?.classes ?? []
  const counts = (run: number) => shown?.runs[run]?.counts ?? []
  const series = labels.map((label, run) => ({ id: String(run), name: label, color: colourOfRun(run, labels.length) }))
  const isPicked = (run: number, name: string) => !isUnknown && search.is === name && search.isIn === run + 1
  const picked = series.flatMap((_, group) => classes.flatMap((name, bin) => (isPicked(group, name) ? [{ group, bin }] : [])))[0]
  const pick = (run: number, name: string | undefined) =>
    shown && name !== undefined && onChange(isPicked(run, name) ? allRows : { score: shown.name, is: name, isIn: run + 1 })
  return (
    <>
      {isUnknown && <Notice title={`No run has classes of a score ${search.score}`} />}
      <ChartFrame
        title={shown?.name ?? 'Classes'}
        name="Classes"
        note={freeTexts.length > 0 ? freeTextsNote(freeTexts) : 'trials per class'}
        height={height}
        {...(labels.length > 1 && labels.length <= maxInLegend && { legend: series.map((one, at) => ({ ...one, name: `${at + 1}` })) })}
        {...(!shown && { state: 'empty' as const })}
        actions={
          <>
            {actions}
            {shown && (
              <Select
                inside
                label="Score"
                value={shown.name}
                choices={scores.map(({ name }) => ({ value: name, label: name }))}
                onChange={(score) => onChange({ ...allRows, score })}
                className="max-w-44"
              />
            )}
          </>
        }
        table={{
          columns: ['Class', ...labels],
          rows: [
            ...classes.map((name, bin) => [
              name,
              ...labels.map((label, run) => (
                <Button
                  key={label}
                  variant="ghost"
                  aria-pressed={isPicked(run, name)}
                  aria-label={`${label}, ${name}: ${shareText(shown?.runs[run]?.withValue ?? 0, counts(run)[bin] ?? 0)}`}
                  onClick={() => pick(run, name)}
                >
                  {shareText(shown?.runs[run]?.withValue ?? 0, counts(run)[bin] ?? 0)}
                </Button>
              )),
            ]),
            [
              'Coverage',
              ...labels.map((_, run) => {
                const { withValue = 0, trials = 0 } = shown?.runs[run] ?? {}
                return withValue === 0 ? '–' : `n ${withValue.toLocaleString('en')}, ${numberText(withValue / trials, true)} of the trials`
              }),
            ],
          ],
        }}
      >
        <Distribution
          label={`Trials by ${shown?.name ?? 'class'}. ${classes.map((name, bin) => `${name}: ${labels.map((_, run) => counts(run)[bin] ?? 0).join(' and ')}`).join('; ')}`}
          height={height}
          bins={series.map((_, run) => counts(run))}
          series={series}
          names={classes}
          unit="trials"
          picked={picked}
          onPick={(run, bin) => pick(run, classes[bin])}
        />
      </ChartFrame>
    </>
  )
}

const shareText = (withValue: number, count: number) =>
  `${withValue === 0 ? '–' : numberText(count / withValue, true)}, ${countText(count, 'trial')}`

const shownNames = 5

/** Why some scores have no classes. */
function freeTextsNote(names: readonly string[]): string {
  const further = names.length - shownNames
  const list = names.slice(0, shownNames).join(', ') + (further > 0 ? ` and ${further.toLocaleString('en')} more` : '')
  return `Free text: ${list} (over ${maxClasses} texts, or over ${maxClassCharacters} characters)`
}
