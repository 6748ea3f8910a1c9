import { Link } from '@tanstack/react-router'
import type { ProjectName } from '../../../app/use-project.ts'
import { numberText } from '../charts/number-text.ts'
import type { ListedRun } from './listed-run.ts'
import type { SparkScore } from './spark-scores.ts'

const shownAtFirst = 3

interface Properties {
  project: ProjectName
  run: ListedRun
  scores: readonly SparkScore[]
}

/** The scores of a run as bars, each of which leads to the rows that it is of. */
export function SparkBars({ project, run, scores }: Properties) {
  if (scores.length === 0) return '–'
  const further = scores.slice(shownAtFirst)
  const bar = ({ name, value, isRate, share }: SparkScore) => (
    <Link
      key={name}
      className="spark"
      to="/$entity/$project/evaluations/runs/$run"
      params={{ ...project, run: run.id }}
      search={{ measure: name }}
    >
      <span>
        {name} {numberText(value, isRate)}
      </span>
      <span className="spark-track">
        <span className="spark-bar" style={{ width: `${share * 100}%` }} />
      </span>
    </Link>
  )
  return (
    <>
      {scores.slice(0, shownAtFirst).map(bar)}
      {further.length > 0 && (
        <details>
          <summary>{further.length} more</summary>
          {further.map(bar)}
        </details>
      )}
    </>
  )
}
