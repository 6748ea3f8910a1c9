import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../app/read-again.ts'
import { useProject } from '../../app/use-project.ts'
import { Failure } from '../../components/failure.tsx'
import type { Learner } from './choose-learner.tsx'
import { startJob } from './start-queries.ts'
import { TrainingReport } from './training-report.tsx'
import type { Preflight } from './use-preflight.ts'

/** The report on what would be learned from, and the button that starts the job. */
export function StartJob({ preflight, learner }: { preflight: Preflight; learner: Learner }) {
  const project = useProject()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { plan } = preflight
  const start = useMutation({
    mutationFn: () => startJob(project, learner, preflight),
    async onSuccess(job) {
      void readAgain(queries, ['training-jobs', project.id])
      void readAgain(queries, ['trained-models', project.id])
      await navigate({ to: '/$entity/$project/training/jobs/$job', params: { ...project, job } })
    },
  })
  return (
    <TrainingReport plan={plan}>
      {plan.groups > 0 && (
        <p>
          <button type="button" className="primary" disabled={start.isPending} onClick={() => start.mutate()}>
            {start.isPending ? 'Sending the attempts …' : 'Start the training job'}
          </button>
        </p>
      )}
      <Failure error={start.error} before="The job was not started." />
    </TrainingReport>
  )
}
