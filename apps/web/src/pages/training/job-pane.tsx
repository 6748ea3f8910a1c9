import type { TrainingJob } from '@heddle/core-api/types'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Time } from '../../ui/time/time.tsx'
import { Delta } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { changeText, metricText, titleOfMetric } from '../../features/curves/metric-name.ts'
import { JobData } from '../../features/trajectories/job-data.tsx'
import { sortByKind, type StepMetrics } from './step-metrics.ts'
import type { JobSearch } from '../../features/training/training-search.ts'

interface Properties {
  job: TrainingJob
  steps: readonly StepMetrics[]
  search: JobSearch
  onChange: (changed: Partial<JobSearch>) => void
}

/** A gradient step next to the curves, with the job's training data; without a step, only the latter. */
export function JobPane({ job, steps, search, onChange }: Properties) {
  const { step: selected } = search
  const place = selected === undefined ? -1 : Math.min(steps.length, selected) - 1
  const step = steps[place]
  return (
    <Drawer
      open
      onClose={() => onChange({ step: undefined, group: undefined })}
      title={step ? `Step ${step.step}` : 'Training data'}
      width="w-140 max-lg:w-full"
      actions={
        step && (
          <>
            <IconButton label="Previous step" icon={ChevronLeft} disabled={place === 0} onClick={() => onChange({ step: place })} />
            <IconButton
              label="Next step"
              icon={ChevronRight}
              disabled={place + 1 >= steps.length}
              onClick={() => onChange({ step: place + 2 })}
            />
          </>
        )
      }
    >
      {selected !== undefined && selected > steps.length && (
        <Notice className="m-4" title={steps.length === 0 ? 'No gradient step yet' : `No step ${selected}: the last one is shown`} />
      )}
      {step && <StepNumbers step={step} before={steps[place - 1]} />}
      {job.kind === 'rl' && <JobData job={job} search={search} onChange={onChange} />}
    </Drawer>
  )
}

/** The numbers of a step, with their change since the step before. */
function StepNumbers({ step, before }: { step: StepMetrics; before: StepMetrics | undefined }) {
  return (
    <section aria-label="Step" className="border-b border-line px-4 py-3">
      <p className="mb-2 text-xs text-fg-3">
        <Time value={step.at} />
        {before && ', change since the step before'}
      </p>
      <dl className="num grid grid-cols-2 gap-x-6 gap-y-1 text-xs max-sm:grid-cols-1">
        {sortByKind([...step.values.keys()]).map((name) => {
          const value = step.values.get(name) ?? 0
          const last = before?.values.get(name)
          return (
            <div key={name} className="flex min-w-0 items-center gap-2">
              <dt className="min-w-0 grow truncate text-fg-2" data-cut="" data-tip={name}>
                {titleOfMetric(name)}
              </dt>
              <dd data-tip={String(value)}>{metricText(name, value)}</dd>
              {last !== undefined && (
                <dd className="w-20">
                  <Delta noise value={value - last} text={changeText(name, value - last)} className="text-2xs" />
                </dd>
              )}
            </div>
          )
        })}
      </dl>
    </section>
  )
}
