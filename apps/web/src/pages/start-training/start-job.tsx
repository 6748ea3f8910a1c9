import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../lib/server/read-again.ts'
import { useProject } from '../../lib/use-project.ts'
import { Failure } from '../../ui/states/failure.tsx'
import { jobsQuery, modelsQuery } from '../../features/training/training-queries.ts'
import type { Learner } from './choose-learner.tsx'
import { startJob } from './start-queries.ts'
import { TrainingReport } from './training-report.tsx'
import type { Preflight } from './use-preflight.ts'
import { Button } from '../../ui/button.tsx'

/** The report on the training data, and the button that starts the job. */
export function StartJob({ preflight, learner }: { preflight: Preflight; learner: Learner }) {
  const project = useProject()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { plan } = preflight
  const start = useMutation({
    mutationFn: () => startJob(project, learner, preflight),
    async onSuccess(job) {
      void readAgain(queries, jobsQuery(project).queryKey)
      void readAgain(queries, modelsQuery(project).queryKey)
      await navigate({ to: '/$entity/$project/training/jobs/$job', params: { ...project, job } })
    },
  })
  return (
    <TrainingReport plan={plan} failure={<Failure error={start.error} before="The job was not started." />}>
      {plan.groups > 0 && (
        <Button variant="primary" icon={Play} loading={start.isPending} onClick={() => start.mutate()}>
          Start job
        </Button>
      )}
    </TrainingReport>
  )
}
