import type { TrainedModel, TrainingJob } from '@heddle/core-api/types'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Bot, CircleStop, Copy, Download, FlaskConical, MessageSquare } from 'lucide-react'
import { useState } from 'react'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { QueryProblem } from '../../ui/states/query-problem.tsx'
import { saveFile } from '../../lib/save-file.ts'
import { Badge, StatusText } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Button } from '../../ui/button.tsx'
import { MenuItem } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page.tsx'
import { methods } from '../../features/training/methods.ts'
import { jobStatuses } from './job-status.ts'
import { metricsCsv, type StepMetrics } from './step-metrics.ts'
import { isUnfinished } from '../../features/training/is-unfinished.ts'
import { jobQuery, trainingClient } from '../../features/training/training-queries.ts'
import { lazyDialog } from '../../ui/lazy-part.tsx'

const AskDialog = lazyDialog(() => import('../../features/assistant/ask-dialog.tsx').then(({ AskDialog }) => AskDialog))

interface Properties {
  job: TrainingJob
  model: TrainedModel
  steps: readonly StepMetrics[]
}

/** Identity and state of the job, and its actions. */
export function JobHead({ job, model, steps }: Properties) {
  const project = useProject()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const cancel = useMutation({
    mutationFn: () => trainingClient.trainingJobs.cancel({ job_id: job.id }),
    onSuccess: () => readAgain(queries, jobQuery(job.id).queryKey),
  })
  const toModel = { to: '/$entity/$project/training/models/$model', params: { ...project, model: model.id } } as const
  const { status, text } = jobStatuses[job.status]
  return (
    <>
      <PageHead
        trail={[
          <Link key="training/jobs" to="/$entity/$project/training/jobs" params={project}>
            Training jobs
          </Link>,
        ]}
        title={model.name}
        state={
          <>
            <span data-tip={methods[job.kind].title}>
              <Badge tone="blue">{methods[job.kind].short}</Badge>
            </span>
            <span role="status">
              <StatusText status={status}>
                {text}
                {job.status === 'running' && steps.length > 0 && `, step ${steps.length.toLocaleString('en')}`}
              </StatusText>
            </span>
          </>
        }
        actions={
          <>
            <ButtonLink icon={MessageSquare} {...toModel} hash="chat">
              Chat
            </ButtonLink>
            {isUnfinished(job) && (
              <Button icon={CircleStop} loading={cancel.isPending} onClick={() => cancel.mutate()}>
                Cancel job
              </Button>
            )}
            <MoreMenu>
              <MenuItem icon={Bot} onClick={() => setAsking(true)}>
                Copy for assistant
              </MenuItem>
              <MenuItem
                icon={Copy}
                onClick={() => void navigate({ to: '/$entity/$project/training/start', params: project, search: { model: model.id } })}
              >
                Train again…
              </MenuItem>
              <MenuItem
                icon={Download}
                onClick={() => saveFile({ name: `${model.name}-${job.id.slice(-8)}.csv`, type: 'text/csv', text: metricsCsv(steps) })}
              >
                Export metrics
              </MenuItem>
            </MoreMenu>
            {job.step !== null && (
              <ButtonLink variant="primary" icon={FlaskConical} {...toModel} search={{ evaluate: job.step }}>
                Evaluate
              </ButtonLink>
            )}
          </>
        }
      />
      {cancel.error && (
        <div className="px-4">
          <QueryProblem error={cancel.error} retry={() => cancel.mutate()} retriesItself={false} />
        </div>
      )}
      {isAsking && <AskDialog prompt="watch_training_job" given={{ job_id: job.id }} onClose={() => setAsking(false)} />}
    </>
  )
}
