import { useMemo, useState } from 'react'
import type { ComparedRuns } from '../compared-runs.ts'
import { numberText } from '../charts/number-text.ts'
import type { ClassSearch } from './class-choice.ts'
import { type ClassCounts, classScores, type ClassScores, maxClassCharacters, maxClasses } from './class-scores.ts'

const barHeight = 48

interface Properties {
  compared: ComparedRuns
  labels: readonly string[]
  search: ClassSearch
  onChange: (changed: ClassSearch) => void
}

const allRows: ClassSearch = { is: undefined, isIn: undefined }

/** How often each run has each class of a score: a text, or true or false. A bar chooses the rows of its class. */
export function Classes({ compared, labels, search, onChange }: Properties) {
  const [isOpen, setOpen] = useState(search.score !== undefined)
  // Thousands of trials are counted only for those who look.
  const found = useMemo(() => (isOpen ? classScores(compared.rows, compared.runs.length) : undefined), [compared, isOpen])
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Classes of scores, and rows of a class</summary>
      {found && <ClassesFound found={found} labels={labels} search={search} onChange={onChange} />}
    </details>
  )
}

function ClassesFound({ found: { scores, freeTexts }, labels, search, onChange }: Omit<Properties, 'compared'> & { found: ClassScores }) {
  const shown = scores.find(({ name }) => name === search.score) ?? scores[0]
  const isUnknown = search.score !== undefined && shown?.name !== search.score
  return (
    <>
      {isUnknown && <p className="notice">No run has classes of a score {search.score}.</p>}
      {freeTexts.length > 0 && (
        <p className="muted">
          Not classes, since a text is longer than {maxClassCharacters} characters or there are more than {maxClasses} different ones:{' '}
          {namesText(freeTexts)}.
        </p>
      )}
      {!shown ? (
        <p className="muted">No score of these rows is a short text, or true or false.</p>
      ) : (
        <>
          <div className="row">
            <label htmlFor="class-score">Classes of</label>
            <select id="class-score" value={shown.name} onChange={({ target }) => onChange({ ...allRows, score: target.value })}>
              {scores.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
            {search.is !== undefined && (
              <button type="button" onClick={() => onChange(allRows)}>
                Rows of all classes
              </button>
            )}
          </div>
          {labels.map((label, run) => (
            <RunBars
              key={label}
              label={`${run + 1}. ${label}`}
              score={shown.name}
              classes={shown.classes}
              counts={shown.runs[run]}
              chosen={search.isIn === run + 1 && !isUnknown ? search.is : undefined}
              onChoose={(is) => onChange(is === undefined ? allRows : { score: shown.name, is, isIn: run + 1 })}
            />
          ))}
        </>
      )}
    </>
  )
}

const shownNames = 5

function namesText(names: readonly string[]): string {
  const further = names.length - shownNames
  return names.slice(0, shownNames).join(', ') + (further > 0 ? ` and ${further.toLocaleString('en')} more` : '')
}

interface RunBarsProperties {
  label: string
  score: string
  classes: readonly string[]
  counts: ClassCounts | undefined
  /** The class whose rows of this run are shown. */
  chosen: string | undefined
  onChoose: (is: string | undefined) => void
}

function RunBars({ label, score, classes, counts, chosen, onChoose }: RunBarsProperties) {
  const { counts: ofClass = [], withValue = 0, trials = 0 } = counts ?? {}
  const most = Math.max(1, ...ofClass)
  return (
    <div className="bins" role="group" aria-label={`Trials of ${label} by ${score}`}>
      <span className="bins-name">
        {label}
        <br />
        <span className="muted">
          {withValue === 0 ? 'no data' : `n ${withValue.toLocaleString('en')}, ${numberText(withValue / trials, true)} of the trials`}
        </span>
      </span>
      {classes.map((name, at) => {
        const count = ofClass[at] ?? 0
        const share = withValue === 0 ? 'no data' : numberText(count / withValue, true)
        return (
          <button
            key={name}
            type="button"
            aria-pressed={chosen === name}
            aria-label={`${name}: ${share}, ${count === 1 ? '1 trial' : `${count.toLocaleString('en')} trials`}`}
            onClick={() => onChoose(chosen === name ? undefined : name)}
          >
            <span>
              {share} ({count.toLocaleString('en')})
            </span>
            <span className="bar" style={{ height: count === 0 ? 0 : Math.max(2, (count / most) * barHeight) }} />
            <span>{name}</span>
          </button>
        )
      })}
    </div>
  )
}
