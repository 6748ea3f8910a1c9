import { useRef, useState } from 'react'
import { useProject } from '../../../lib/use-project.ts'
import { readableName } from '../../../lib/texts/readable-name.ts'
import { FormDialog } from '../../../ui/form-dialog.tsx'
import { FilterField, FilterProblemText } from '../../../features/filter/filter-field.tsx'
import { problemOf } from '../../../features/calls/conditions/typed-filter.ts'
import { type Grouping, groupings, groupingTitles } from '../../../features/costs/costs-search.ts'
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
} from '../../../features/dashboard-charts/chart.ts'
import { ChooseFeedbackValue } from './choose-feedback-value.tsx'
import { maxGroups, maxSeries } from '../../../features/dashboard-charts/chart-request.ts'
import { useConfirm } from '../../../ui/confirm/confirm.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'

interface Properties {
  /** As it was before; a new one that is not on the dashboard yet has no title. */
  chart: Chart
  isNew: boolean
  onDone: (chart: Chart) => void
  onClose: () => void
}

const noPaths: readonly string[] = []

/** Dialog for the definition of a chart. */
export function ChartDialog({ chart: before, isNew, onDone, onClose }: Properties) {
  const { id } = useProject()
  const [chart, setChart] = useState(before)
  const [type, setType] = useState(before.feedback?.type ?? '')
  const [problem, setProblem] = useState(() => problemOf(before.filter || undefined))
  const input = useRef<HTMLInputElement>(null)
  const change = (part: Partial<Chart>) => setChart((now) => consistent({ ...now, ...part }))
  const isFeedback = chart.measure === 'feedback'
  const label = isNew ? 'Add chart' : `Edit ${readableName(before.title)}`

  function submit() {
    const found = problemOf(chart.filter.trim() || undefined)
    setProblem(found)
    if (found) input.current?.setSelectionRange(found.at, chart.filter.length)
    else onDone({ ...chart, title: chart.title.trim() || suggestedTitle(chart), filter: chart.filter.trim() })
  }
  const confirm = useConfirm()
  async function close() {
    if (isSame(chart, before) || (await confirm({ text: 'Discard your changes to this chart?', confirm: 'Discard' }))) onClose()
  }

  return (
    <FormDialog
      onClose={() => void close()}
      title={label}
      width="w-[560px]"
      action={isNew ? 'Add' : 'Done'}
      isReady={!isFeedback || chart.feedback !== null}
      onSubmit={submit}
      className="flex flex-col gap-4"
    >
      <TextField
        label="Title"
        maxLength={maxTitleLength}
        placeholder={suggestedTitle(chart)}
        value={chart.title}
        onChange={(next) => change({ title: next })}
      />
      <Choose label="Measure" titles={measureTitles} words={measures} value={chart.measure} onChange={(measure) => change({ measure })} />
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
          <Choose label="Calls" titles={levelTitles} words={['roots', 'all']} value={chart.level} onChange={(level) => change({ level })} />
          <div>
            <span aria-hidden className="mb-1 block text-xs font-medium text-fg-2">
              Filter
            </span>
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
          </div>
          <Choose
            label="Group by"
            titles={groupTitles}
            words={['none', ...groupings.filter((by) => groupingsOf(chart.measure).includes(by))]}
            value={chart.by ?? 'none'}
            onChange={(by) => change({ by: by === 'none' ? null : by })}
            help={helpOfGroups(chart)}
          />
        </>
      )}
      <Choose
        label="Show as"
        titles={formTitles}
        words={chartForms.filter((form) => formsOf(chart).includes(form))}
        value={chart.form}
        onChange={(form) => change({ form })}
      />
    </FormDialog>
  )
}

function helpOfGroups({ by, form, measure }: Chart): string | undefined {
  if (by === null) return undefined
  const most = `The largest ${form === 'table' ? maxGroups : maxSeries} are shown`
  return by === 'model' && !isUsage(measure) ? `${most}. A call of several models counts for each.` : most
}

const levelTitles: Record<Chart['level'], string> = { roots: 'Traces', all: 'All spans' }
const groupTitles: Record<Grouping | 'none', string> = { none: 'None', ...groupingTitles }

function suggestedTitle({ measure, by, feedback }: Chart): string {
  const what = feedback === null ? measureTitles[measure] : feedback.path
  return (by === null ? what : `${what} by ${by}`).slice(0, maxTitleLength)
}

interface ChooseProperties<Word extends string> {
  label: string
  words: readonly Word[]
  titles: Record<Word, string>
  value: Word
  help?: string | undefined
  onChange: (word: Word) => void
}

function Choose<Word extends string>({ label, words, titles, value, help, onChange }: ChooseProperties<Word>) {
  return (
    <div>
      <Select
        label={label}
        size="md"
        className="w-full"
        value={value}
        choices={words.map((word) => ({ value: word, label: titles[word] }))}
        onChange={(chosen) => onChange(words.find((word) => word === chosen) ?? value)}
      />
      {help !== undefined && <p className="mt-1 text-xs text-fg-3">{help}</p>}
    </div>
  )
}
