import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../app/use-project.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { modelsQuery } from '../training/training-queries.ts'
import { StartForm } from './start-form.tsx'
import { baseModelsQuery } from './start-queries.ts'

/** Starts a training job on attempts that traces recorded, after a report on what it would learn from. */
export function StartTrainingPage() {
  const project = useProject()
  const models = useQuery(modelsQuery(project))
  const baseModels = useQuery(baseModelsQuery)
  return (
    <>
      <h1>Train on recorded attempts</h1>
      <p className="muted">Attempts at the same task are compared by their rewards, and the model learns to answer like the better ones.</p>
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
