import { type FormEvent, useRef, useState } from 'react'
import { useProject } from '../../../app/use-project.ts'
import { ModalDialog } from '../../../components/modal-dialog.tsx'
import { FilterField, FilterProblemText } from '../../calls/filter/filter-field.tsx'
import { problemOf } from '../../calls/filter/filter-text.tsx'
import { type Grouping, groupings } from '../../costs/costs-search.ts'
import {
  type Chart,
  chartForms,
  consistent,
  formsOf,
  formTitles,
  groupingsOf,
  isSame,
  isUsage,
  maxTitleLength,
  measures,
  measureTitles,
} from './chart.ts'
import { ChooseFeedbackValue } from './choose-feedback-value.tsx'
import { maxGroups, maxSeries } from './chart-request.ts'

interface Properties {
  /** As it was before; a new one that is not on the dashboard yet has no title. */
  chart: Chart
  isNew: boolean
  onDone: (chart: Chart) => void
  onClose: () => void
}

const noPaths: readonly string[] = []

/** Asks what a chart shows. */
export function ChartDialog({ chart: before, isNew, onDone, onClose }: Properties) {
  const { id } = useProject()
  const [chart, setChart] = useState(before)
  const [type, setType] = useState(before.feedback?.type ?? '')
  const [problem, setProblem] = useState(() => problemOf(before.filter || undefined))
  const input = useRef<HTMLInputElement>(null)
  const change = (part: Partial<Chart>) => setChart((now) => consistent({ ...now, ...part }))
  const isFeedback = chart.measure === 'feedback'
  const label = isNew ? 'Add a chart' : `Edit ${before.title}`

  function submit(event: FormEvent) {
    event.preventDefault()
    const found = problemOf(chart.filter.trim() || undefined)
    setProblem(found)
    if (found) input.current?.setSelectionRange(found.at, chart.filter.length)
    else onDone({ ...chart, title: chart.title.trim() || suggestedTitle(chart), filter: chart.filter.trim() })
  }
  function close() {
    if (isSame(chart, before) || window.confirm('Drop what you changed in this chart?')) onClose()
  }

  return (
    <ModalDialog label={label} onClose={close}>
      <h2>{label}</h2>
      <form onSubmit={submit}>
        <label htmlFor="chart-title">Title</label>
        <input
          id="chart-title"
          maxLength={maxTitleLength}
          placeholder={suggestedTitle(chart)}
          value={chart.title}
          onChange={({ target }) => change({ title: target.value })}
        />
        <Choose
          id="chart-measure"
          label="Measures"
          titles={measureTitles}
          words={measures}
          value={chart.measure}
          onChange={(measure) => change({ measure })}
        />
        {isFeedback ? (
          <ChooseFeedbackValue
            type={type}
            value={chart.feedback}
            onType={(typed) => {
              setType(typed)
              if (chart.feedback?.type !== typed) change({ feedback: null })
            }}
            onValue={(feedback) => change({ feedback })}
          />
        ) : (
          <>
            <Choose
              id="chart-level"
              label="Of"
              titles={levelTitles}
              words={['roots', 'all']}
              value={chart.level}
              onChange={(level) => change({ level })}
            />
            {isUsage(chart.measure) && chart.level === 'all' && (
              <p className="muted">What a program added up in the root of a trace counts there, and again in the calls below it.</p>
            )}
            <FilterField
              project={id}
              input={input}
              text={chart.filter}
              paths={noPaths}
              problem={problem}
              onText={(filter) => {
                change({ filter })
                setProblem(undefined)
              }}
            />
            <FilterProblemText problem={problem} />
            <Choose
              id="chart-by"
              label="Split by"
              titles={groupTitles}
              words={['none', ...groupings.filter((by) => groupingsOf(chart.measure).includes(by))]}
              value={chart.by ?? 'none'}
              onChange={(by) => change({ by: by === 'none' ? null : by })}
            />
            {chart.by === 'model' && !isUsage(chart.measure) && (
              <p className="muted">A call that used several models counts for each of them.</p>
            )}
          </>
        )}
        <Choose
          id="chart-form"
          label="Shown as"
          titles={formTitles}
          words={chartForms.filter((form) => formsOf(chart).includes(form))}
          value={chart.form}
          onChange={(form) => change({ form })}
        />
        {chart.by !== null && (
          <p className="muted">{`The largest ${chart.form === 'table' ? maxGroups : maxSeries} groups are shown, and the others counted.`}</p>
        )}
        <div className="row">
          <button type="submit" className="primary" disabled={isFeedback && chart.feedback === null}>
            {isNew ? 'Add' : 'Done'}
          </button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </ModalDialog>
  )
}

const levelTitles: Record<Chart['level'], string> = { roots: 'traces: their roots alone', all: 'all calls' }
const groupTitles: Record<Grouping | 'none', string> = { none: 'nothing', op: 'op', model: 'model', user: 'user', thread: 'thread' }

function suggestedTitle({ measure, by, feedback }: Chart): string {
  const what = feedback === null ? measureTitles[measure] : feedback.path
  return (by === null ? what : `${what} by ${by}`).slice(0, maxTitleLength)
}

interface ChooseProperties<Word extends string> {
  id: string
  label: string
  words: readonly Word[]
  titles: Record<Word, string>
  value: Word
  onChange: (word: Word) => void
}

function Choose<Word extends string>({ id, label, words, titles, value, onChange }: ChooseProperties<Word>) {
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ target }) => onChange(words.find((word) => word === target.value) ?? value)}>
        {words.map((word) => (
          <option key={word} value={word}>
            {titles[word]}
          </option>
        ))}
      </select>
    </>
  )
}
