import { useQuery } from '@tanstack/react-query'
import type { EvalSummary } from '@heddle/core-api/types'
import { readableName } from '../../lib/texts/readable-name.ts'
import { numberText } from '../../lib/texts/number-text.ts'
import { useProject } from '../../lib/use-project.ts'
import { runsQuery, summariesQuery } from '../../features/evaluations/evaluation-queries.ts'
import { sparkScores } from '../../features/evaluations/spark-scores.ts'
import { LatestList } from './latest-list.tsx'

const latest = 5

/** The newest evaluation runs, each with its first score. */
export function LatestRuns() {
  const project = useProject()
  const query = useQuery(runsQuery(project))
  const ids = (query.data?.runs ?? []).slice(0, latest).map(({ id }) => id)
  const summaries = useQuery(summariesQuery(project, ids)).data
  return (
    <LatestList
      title="Evaluations"
      what="evaluation runs"
      none="No evaluations yet"
      all={{ to: '/$entity/$project/evaluations', params: project }}
      query={query}
      rowsOf={({ runs }) =>
        runs.slice(0, latest).map(({ id, name, model, status, started_at }) => ({
          id,
          link: { to: '/$entity/$project/evaluations/runs/$run', params: { ...project, run: id } },
          status,
          name,
          detail: model,
          result: <FirstScore summary={summaries?.get(id)} />,
          time: started_at,
        }))
      }
    />
  )
}

function FirstScore({ summary }: { summary: EvalSummary | undefined }) {
  const [score] = sparkScores(summary, new Map())
  if (!score) return null
  return (
    <span data-tip={readableName(score.name)}>
      <span className="sr-only">{`${readableName(score.name)} `}</span>
      <span className="font-medium">{numberText(score.value, score.isRate)}</span>
    </span>
  )
}
