import type { Checkpoint } from '@heddle/core-api'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { CurveBoard } from '../curves/curve-board.tsx'
import { groupByKind } from './step-metrics.ts'

const route = getRouteApi('/$entity/$project/training/models/$model')

/** How the metrics of a model went from checkpoint to checkpoint. Nothing where fewer than two have some. */
export function CheckpointCurves({ checkpoints }: { checkpoints: readonly Checkpoint[] }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const groups = useMemo(() => groupsOf(checkpoints), [checkpoints])
  if (groups.length === 0) return null
  return (
    <section aria-label="Metrics over checkpoints">
      <h2>Metrics over checkpoints</h2>
      <CurveBoard
        groups={groups}
        view={search}
        onView={(changed) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })}
        selected={undefined}
        onSelect={() => undefined}
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
