import type { Checkpoint } from '@heddle/core-api'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useProject } from '../../app/use-project.ts'
import { CurveBoard } from '../curves/curve-board.tsx'
import { groupByKind } from './step-metrics.ts'

const route = getRouteApi('/$entity/$project/training/models/$model')

interface Properties {
  checkpoints: readonly Checkpoint[]
  /** The job that made the checkpoint of a step, where it is known. */
  jobOf: ReadonlyMap<number, string>
}

/** How the metrics of a model went from checkpoint to checkpoint. Nothing where fewer than two have some. A click leads to what a point was measured on. */
export function CheckpointCurves({ checkpoints, jobOf }: Properties) {
  const { model } = route.useParams()
  const project = useProject()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const groups = useMemo(() => groupsOf(checkpoints), [checkpoints])
  if (groups.length === 0) return null
  function open(step: number) {
    const job = jobOf.get(step)
    if (job !== undefined) void navigate({ to: '/$entity/$project/training/jobs/$job', params: { ...project, job }, search: {} })
    else void navigate({ to: '/$entity/$project/training/models/$model/trajectories', params: { ...project, model }, search: { step } })
  }
  return (
    <section aria-label="Metrics over checkpoints">
      <h2>Metrics over checkpoints</h2>
      <p className="muted">A click on a curve opens the job that made the checkpoint, or else what was tried with it.</p>
      <CurveBoard
        groups={groups}
        view={search}
        onView={(changed) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })}
        selected={undefined}
        onSelect={open}
        hasTimes={false}
      />
    </section>
  )
}

function groupsOf(checkpoints: readonly Checkpoint[]) {
  const measured = checkpoints.filter(({ metrics }) => Object.keys(metrics).length > 0).toReversed()
  if (measured.length < 2) return []
  const names = [...new Set(measured.flatMap(({ metrics }) => Object.keys(metrics)))]
  return groupByKind(names).map(({ title, names: of }) => ({
    title,
    curves: of.map((name) => ({
      name,
      series: [
        {
          label: 'checkpoints',
          points: measured.flatMap(({ step, metrics }) => (metrics[name] === undefined ? [] : [{ step, value: metrics[name] }])),
        },
      ],
    })),
  }))
}
