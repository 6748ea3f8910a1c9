import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../lib/use-project.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { modelsQuery } from '../../features/training/training-queries.ts'
import { StartForm } from './start-form.tsx'
import { baseModelsQuery } from './start-queries.ts'
import { PageHead } from '../../ui/page.tsx'

/** Starts a training job on attempts recorded in traces, after a report on the training data. */
export function StartTrainingPage() {
  const project = useProject()
  const models = useQuery(modelsQuery(project))
  const baseModels = useQuery(baseModelsQuery)
  return (
    <>
      <PageHead
        trail={[
          <Link key="training/jobs" to="/$entity/$project/training/jobs" params={project}>
            Training jobs
          </Link>,
        ]}
        title="New job"
      />
      <ShowQuery query={models} what="the models of the project">
        {({ models: all, hasMore }) => (
          <ShowQuery query={baseModels} what="the base models">
            {(known) => <StartForm models={all} hasMore={hasMore} baseModels={known} />}
          </ShowQuery>
        )}
      </ShowQuery>
    </>
  )
}
