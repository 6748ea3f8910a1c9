import { numberText } from '../charts/number-text.ts'
import type { ComparedRuns } from '../compared-runs.ts'
import type { KeptRange } from './score-range.ts'

interface Properties {
  ranges: readonly KeptRange[]
  compared: ComparedRuns
  labels: readonly string[]
  /** Undefined: none is left. */
  onChange: (ranges: KeptRange[] | undefined) => void
}

/** The ranges of measures that hold beside each other; each can be taken away. */
export function KeptRanges({ ranges, compared, labels, onChange }: Properties) {
  if (ranges.length === 0) return null
  const unknown = ranges.filter(({ name }) => !compared.names.includes(name)).map(({ name }) => name)
  return (
    <>
      <ul className="row kept-ranges" aria-label="Ranges that hold as well">
        {ranges.map((range, at) => {
          const text = rangeText(range, compared, labels)
          const others = ranges.toSpliced(at, 1)
          return (
            <li key={`${at} ${text}`} className="tag">
              {text}{' '}
              <button
                type="button"
                className="as-link"
                aria-label={`Take away ${text}`}
                onClick={() => onChange(others.length > 0 ? others : undefined)}
              >
                ✕
              </button>
            </li>
          )
        })}
      </ul>
      {unknown.length > 0 && <p className="notice">No run has the measure {unknown.join(' or ')}, so that no row is in its range.</p>}
    </>
  )
}

function rangeText({ name, from, to, of }: KeptRange, { runs }: ComparedRuns, labels: readonly string[]): string {
  const isRate = runs.every(({ measures }) => measures.get(name)?.isRate ?? true)
  const [low, high] = [from, to].map((end) => (end === undefined ? undefined : numberText(end, isRate)))
  const range = low === high ? low : [low && `from ${low}`, high && `to ${high}`].filter(Boolean).join(' ')
  const run = of === undefined ? 'any run' : `${of}. ${labels[of - 1] ?? 'a run that is not compared'}`
  return labels.length === 1 ? `${name} ${range}` : `${name} ${range} in ${run}`
}
