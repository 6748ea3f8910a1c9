import type { EvalSummary } from '@heddle/core-api'
import { Link } from '@tanstack/react-router'
import type { ProjectName } from '../../../app/use-project.ts'
import { formatDuration } from '../../../components/duration.ts'
import { formatCost } from '../../../components/format-cost.ts'
import { readableName } from '../../../components/readable-name.ts'
import { Time } from '../../../components/time.tsx'
import { DatasetLink } from '../dataset-link.tsx'
import type { ListedRun } from './listed-run.ts'
import { progressText, type RunProgress } from './progress-text.ts'
import { SparkBars } from './spark-bars.tsx'
import { type ScoreScales, sparkScores } from './spark-scores.ts'

interface Properties {
  project: ProjectName
  run: ListedRun
  summary: EvalSummary | undefined
  /** What the bars of scores of all listed runs are drawn by. */
  scales: ScoreScales
  /** Reference to the version it ran on; undefined where that is not known. */
  dataset: string | undefined
  /** Undefined for one that has ended, and where it is not known. */
  progress: RunProgress | undefined
  /** For how long a running one has had no news; undefined where that is short. */
  quietMinutes: number | undefined
  isChosen: boolean
  mayChoose: boolean
  onChoose: () => void
}

/** A run in the list of runs, which can be chosen for a comparison. */
export function RunRow({ project, run, summary, scales, dataset, progress, quietMinutes, isChosen, mayChoose, onChoose }: Properties) {
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          aria-label={`Compare ${readableName(run.name)}, ${run.model === null ? 'no model' : readableName(run.model)}`}
          checked={isChosen}
          disabled={!isChosen && !mayChoose}
          onChange={onChoose}
        />
      </td>
      <td className="whole">
        <Link to="/$entity/$project/evaluations/runs/$run" params={{ ...project, run: run.id }}>
          {run.name}
        </Link>
      </td>
      <td className="whole">{run.model ?? <span className="muted">none named</span>}</td>
      <td className="whole">{dataset === undefined ? '–' : <DatasetLink dataset={dataset} />}</td>
      <td className="whole" title={run.exception ?? undefined}>
        {run.status}
        {progress && `: ${progressText(progress)}`}
        {quietMinutes !== undefined && `, without news for ${quietMinutes.toLocaleString('en')} min`}
        {progress && <ProgressBar progress={progress} name={run.name} />}
      </td>
      <td className="number">{summary?.trial_count.toLocaleString('en') ?? '–'}</td>
      <td>
        <SparkBars project={project} run={run} scores={sparkScores(summary, scales)} />
      </td>
      <td className="number">{run.latency_seconds === null ? '–' : formatDuration(run.latency_seconds * 1_000)}</td>
      <td className="number">{summary?.predict_total_tokens?.toLocaleString('en') ?? '–'}</td>
      <td className="number">{summary?.predict_total_cost == null ? '–' : formatCost(summary.predict_total_cost)}</td>
      <td className="number">{run.duration_us === null ? '–' : formatDuration(run.duration_us / 1_000)}</td>
      <td>
        <Time value={run.started_at} />
      </td>
    </tr>
  )
}

/** Nothing where it is not known how far the whole is. */
function ProgressBar({ progress: { done, total }, name }: { progress: RunProgress; name: string }) {
  if (total === undefined || total < done || total === 0) return null
  return <progress className="run-progress" aria-label={`Progress of ${readableName(name)}`} max={total} value={done} />
}
