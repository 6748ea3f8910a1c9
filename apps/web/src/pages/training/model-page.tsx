import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { TrainedModel, TrainingJob } from '@heddle/core-api/types'
import { Copy, FlaskConical, ListTree, Sparkles, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { useProject } from '../../lib/use-project.ts'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page.tsx'
import { toast } from '../../ui/toast.tsx'
import { addressOf } from '../../features/checkpoint-scores/checkpoint-of-model.ts'
import { checkpointRunsQuery } from '../../features/checkpoint-scores/checkpoint-queries.ts'
import { CheckpointRuns } from '../../features/checkpoint-scores/checkpoint-runs-table.tsx'
import { CheckpointScores } from '../../features/checkpoint-scores/checkpoint-scores.tsx'
import { useScoresOfCheckpoints } from '../../features/checkpoint-scores/use-scores-of-checkpoints.ts'
import { CheckpointChat } from './checkpoint-chat.tsx'
import { CheckpointCurves } from './checkpoint-curves.tsx'
import { CheckpointsTable } from './checkpoints-table.tsx'
import type { ModelChoice } from './model-choice.ts'
import { isUnfinished } from '../../features/training/is-unfinished.ts'
import { checkpointsQuery, jobsOfModelQuery, modelQuery } from '../../features/training/training-queries.ts'
import type { ModelSearch } from '../../features/training/training-search.ts'
import { lazyDialog } from '../../ui/lazy-part.tsx'

const EvaluateDialog = lazyDialog(() =>
  import('../../features/checkpoint-scores/evaluate-dialog.tsx').then(({ EvaluateDialog }) => EvaluateDialog),
)
const DeleteDialog = lazyDialog(() => import('./delete-checkpoints.tsx').then(({ DeleteDialog }) => DeleteDialog))

const route = getRouteApi('/$entity/$project/training/models/$model')
const noJobs: readonly TrainingJob[] = []

/** A model that is trained: its checkpoints with their scores, and a conversation with some of them. */
export function ModelPage() {
  const { model: id } = route.useParams()
  return (
    <ShowQuery query={useQuery(modelQuery(id))} what="the model">
      {(model) => <OneModel key={model.id} model={model} />}
    </ShowQuery>
  )
}

function OneModel({ model }: { model: TrainedModel }) {
  const project = useProject()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(checkpointsQuery(model.id))
  const jobs = useQuery(jobsOfModelQuery(model.id)).data ?? noJobs
  const jobOf = useMemo(() => new Map(jobs.flatMap(({ id, step }) => (step === null ? [] : [[step, id] as const]))), [jobs])
  const [chatModels, setChatModels] = useState<readonly string[]>()
  /** Steps that the dialog begins with. */
  const [deleting, setDeleting] = useState<readonly number[]>()
  const set = (changed: Partial<ModelSearch>) => void navigate({ search: (before) => ({ ...before, ...changed }), replace: true })
  const checkpoints = query.data?.checkpoints
  const choices = useMemo(() => choicesOf(model, checkpoints?.map(({ step }) => step) ?? []), [model, checkpoints])
  const runs = useQuery(checkpointRunsQuery(project, model))
  const scores = useScoresOfCheckpoints(project, runs.data?.runs, search.scores)
  const models = chatModels ?? [choices.at(-1)?.model, choices[0]?.model]
  const panes = models.map((one) => choices.find((choice) => choice.model === one)?.step)
  return (
    <div data-flush className="flex h-full min-h-0 max-lg:flex-col max-lg:overflow-auto">
      <ModelHead
        model={model}
        isTraining={jobs.some(isUnfinished)}
        newest={checkpoints?.[0]?.step}
        onEvaluate={(step) => set({ evaluate: step })}
        onDelete={() => setDeleting([])}
      />
      <div className="flex min-w-0 flex-[1.3] flex-col gap-3 p-4 lg:overflow-auto">
        <CheckpointScores runs={runs} scores={scores} onEvaluation={(evaluation) => set({ scores: evaluation })} />
        <ShowQuery query={query} what="its checkpoints">
          {(data) => (
            <>
              <CheckpointsTable
                model={model}
                checkpoints={data.checkpoints}
                hasMore={data.hasMore}
                jobOf={jobOf}
                scores={scores.shown}
                panes={panes}
                onEvaluate={(step) => set({ evaluate: step })}
                onDelete={(step) => setDeleting([step])}
              />
              <CheckpointRuns runs={runs} scores={scores} />
              <CheckpointCurves model={model.id} checkpoints={data.checkpoints} jobOf={jobOf} view={search} onView={set} />
              {search.evaluate !== undefined && data.checkpoints.length > 0 && (
                <EvaluateDialog
                  trained={model}
                  steps={data.checkpoints.map(({ step }) => step)}
                  first={search.evaluate}
                  onClose={() => set({ evaluate: undefined })}
                />
              )}
              {deleting && (
                <DeleteDialog
                  model={model}
                  checkpoints={data.checkpoints}
                  chosenAtFirst={deleting}
                  onClose={() => setDeleting(undefined)}
                />
              )}
            </>
          )}
        </ShowQuery>
      </div>
      {checkpoints && checkpoints.length > 0 && <CheckpointChat modelId={model.id} choices={choices} onModels={setChatModels} />}
    </div>
  )
}

interface HeadProperties {
  model: TrainedModel
  isTraining: boolean
  newest: number | undefined
  onEvaluate: (step: number) => void
  onDelete: () => void
}

function ModelHead({ model, isTraining, newest, onEvaluate, onDelete }: HeadProperties) {
  const project = useProject()
  const navigate = route.useNavigate()
  return (
    <PageHead
      trail={[
        <Link key="training/models" to="/$entity/$project/training/models" params={project}>
          Models
        </Link>,
      ]}
      title={model.name}
      state={
        <>
          <Badge>{model.base_model}</Badge>
          {isTraining && <Badge tone="blue">Training</Badge>}
        </>
      }
      actions={
        <>
          <Button
            icon={Sparkles}
            onClick={() => void navigate({ to: '/$entity/$project/training/start', params: project, search: { model: model.id } })}
          >
            Train…
          </Button>
          <MoreMenu>
            <MenuItem
              icon={ListTree}
              onClick={() =>
                void navigate({
                  to: '/$entity/$project/training/models/$model/trajectories',
                  params: { ...project, model: model.id },
                  search: {},
                })
              }
            >
              Logged trajectories
            </MenuItem>
            <MenuItem
              icon={Copy}
              onClick={() =>
                void navigator.clipboard.writeText(addressOf(model)).then(() => toast({ title: 'API name copied', text: addressOf(model) }))
              }
            >
              Copy API name
            </MenuItem>
            <MenuSeparator />
            <MenuItem danger icon={Trash2} onClick={onDelete}>
              Delete checkpoints…
            </MenuItem>
          </MoreMenu>
          <Button variant="primary" icon={FlaskConical} disabled={newest === undefined} onClick={() => onEvaluate(newest ?? 0)}>
            Evaluate
          </Button>
        </>
      }
    />
  )
}

function choicesOf(model: TrainedModel, steps: readonly number[]): ModelChoice[] {
  return [
    ...steps.map((step): ModelChoice => ({ model: `${addressOf(model)}:step${step}`, title: `Step ${step}`, step })),
    { model: model.base_model, title: model.base_model, note: 'base', step: undefined },
  ]
}
