import type { Checkpoint } from '@heddle/core-api/types'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useProject } from '../../lib/use-project.ts'
import { CurveBoard, type CurveOfSeries } from '../../features/curves/curve-board.tsx'
import type { CurveSearch } from '../../features/curves/curve-search.ts'
import { sortByKind } from './step-metrics.ts'

interface Properties {
  model: string
  checkpoints: readonly Checkpoint[]
  /** The job that made the checkpoint of a step, where it is known. */
  jobOf: ReadonlyMap<number, string>
  view: CurveSearch
  onView: (changed: CurveSearch) => void
}

/**
 * The metrics of a model from checkpoint to checkpoint. Renders nothing if fewer than two have some. Pressing a point opens the data it was measured
 * on.
 */
export function CheckpointCurves({ model, checkpoints, jobOf, view, onView }: Properties) {
  const project = useProject()
  const navigate = useNavigate()
  const curves = useMemo(() => curvesOf(checkpoints), [checkpoints])
  if (curves.length === 0) return null
  function open(step: number) {
    const job = jobOf.get(step)
    if (job !== undefined) void navigate({ to: '/$entity/$project/training/jobs/$job', params: { ...project, job }, search: {} })
    else void navigate({ to: '/$entity/$project/training/models/$model/trajectories', params: { ...project, model }, search: { step } })
  }
  return (
    <section aria-label="By checkpoint" className="-mx-4 border-t border-line">
      <h2 className="px-4 pt-3 font-semibold">By checkpoint</h2>
      <CurveBoard curves={curves} view={view} onView={onView} selected={undefined} onSelect={open} hasTimes={false} isNarrow />
    </section>
  )
}

function curvesOf(checkpoints: readonly Checkpoint[]): CurveOfSeries[] {
  const measured = checkpoints.filter(({ metrics }) => Object.keys(metrics).length > 0).toReversed()
  if (measured.length < 2) return []
  return sortByKind([...new Set(measured.flatMap(({ metrics }) => Object.keys(metrics)))]).map((name) => ({
    name,
    series: [
      {
        label: 'Checkpoints',
        points: measured.flatMap(({ step, metrics }) => (metrics[name] === undefined ? [] : [{ step, value: metrics[name] }])),
      },
    ],
  }))
}
