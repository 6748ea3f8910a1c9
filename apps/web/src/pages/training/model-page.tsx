import './training.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Checkpoint, TrainedModel, TrainingJob } from '@heddle/core-api'
import { useState } from 'react'
import { useProject } from '../../app/use-project.ts'
import { formatBytes } from '../../components/byte-size.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { addressOf } from '../checkpoint-scores/checkpoint-of-model.ts'
import { CheckpointScores } from '../checkpoint-scores/checkpoint-scores.tsx'
import { EvaluateCheckpoint } from '../checkpoint-scores/evaluate-checkpoint.tsx'
import { CheckpointCurves } from './checkpoint-curves.tsx'
import { ChatPanes } from './chat-panes.tsx'
import { DeleteCheckpoints } from './delete-checkpoints.tsx'
import { KeepCheckpoint } from './keep-checkpoint.tsx'
import { nameOfJob } from './overlaid-jobs.tsx'
import { checkpointsQuery, jobsOfModelQuery, maxCheckpoints, modelQuery } from './training-queries.ts'

const route = getRouteApi('/$entity/$project/training/models/$model')
const shownMetrics = 6
const noJobs: readonly TrainingJob[] = []

/** A model that is trained: its checkpoints, and a conversation with two of them. */
export function ModelPage() {
  const { model: id } = route.useParams()
  const project = useProject()
  const checkpoints = useQuery(checkpointsQuery(id))
  return (
    <ShowQuery query={useQuery(modelQuery(id))} what="the model">
      {(model) => (
        <>
          <h1>{model.name}</h1>
          <p className="muted">
            From {model.base_model} · programs ask it as {addressOf(model)}
          </p>
          <p className="row">
            <Link to="/$entity/$project/training/start" params={project} search={{ model: id }}>
              Train on recorded attempts
            </Link>
            <Link to="/$entity/$project/training/models/$model/trajectories" params={{ ...project, model: id }}>
              Logged trajectories
            </Link>
          </p>
          <ShowQuery query={checkpoints} what="its checkpoints">
            {(data) => <Checkpoints key={model.id} model={model} checkpoints={data.checkpoints} hasMore={data.hasMore} />}
          </ShowQuery>
        </>
      )}
    </ShowQuery>
  )
}

function MadeBy({ job }: { job: string | undefined }) {
  const project = useProject()
  if (job === undefined) return <>–</>
  return (
    <Link to="/$entity/$project/training/jobs/$job" params={{ ...project, job }}>
      {nameOfJob(job)}
    </Link>
  )
}

function Checkpoints({ model, checkpoints, hasMore }: { model: TrainedModel; checkpoints: readonly Checkpoint[]; hasMore: boolean }) {
  const project = useProject()
  const [chosen, setChosen] = useState<readonly number[]>([])
  const names = rewardsFirst([...new Set(checkpoints.flatMap(({ metrics }) => Object.keys(metrics)))])
  const [showsAll, setShowsAll] = useState(false)
  const shownNames = showsAll ? names : names.slice(0, shownMetrics)
  const latest = checkpoints[0]?.step
  const jobs = useQuery(jobsOfModelQuery(model.id)).data ?? noJobs
  const jobOf = new Map(jobs.flatMap(({ id, step }) => (step === null ? [] : [[step, id] as const])))
  const deletable = new Set(checkpoints.flatMap(({ step, kept_at }) => (kept_at === null ? [step] : [])))
  const toggle = (step: number) => setChosen(chosen.includes(step) ? chosen.filter((one) => one !== step) : [...chosen, step])
  const versions = checkpoints.map(({ step }) => `${addressOf(model)}:step${step}`)
  return (
    <>
      <h2>Checkpoints</h2>
      {hasMore && <p className="notice">These are the newest {maxCheckpoints.toLocaleString('en')} checkpoints.</p>}
      {names.length > shownMetrics && (
        <p className="muted">
          {showsAll
            ? `All ${names.length} metrics have a column. `
            : `Of ${names.length} metrics ${shownMetrics} have a column, rewards and losses first. `}
          <button type="button" aria-pressed={showsAll} onClick={() => setShowsAll(!showsAll)}>
            Show all
          </button>
        </p>
      )}
      <div className="scroll" tabIndex={0} role="region" aria-label="Checkpoints">
        <table>
          <thead>
            <tr>
              <th>Delete</th>
              <th>Step</th>
              <th>Keep</th>
              <th className="number">Size</th>
              <th>Made by</th>
              <th>Tried in</th>
              {shownNames.map((name) => (
                <th key={name} className="number">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {checkpoints.map((checkpoint) => {
              const { id, step, metrics, size_bytes, kept_at } = checkpoint
              return (
                <tr key={id}>
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`Delete step ${step}`}
                      checked={chosen.includes(step) && kept_at === null}
                      disabled={step === latest || kept_at !== null}
                      onChange={() => toggle(step)}
                    />
                  </td>
                  <td className="checkpoint-step">
                    {step} {step === latest && <span className="tag">latest</span>}
                  </td>
                  <td>
                    <KeepCheckpoint model={model.id} checkpoint={checkpoint} />
                  </td>
                  <td className="number checkpoint-step">{formatBytes(size_bytes)}</td>
                  <td>
                    <MadeBy job={jobOf.get(step)} />
                  </td>
                  <td>
                    <Link
                      to="/$entity/$project/training/models/$model/trajectories"
                      params={{ ...project, model: model.id }}
                      search={{ step }}
                      aria-label={`trajectories of step ${step}`}
                    >
                      trajectories
                    </Link>
                  </td>
                  {shownNames.map((name) => (
                    <td key={name} className="number">
                      {metrics[name] === undefined ? '–' : Number(metrics[name].toPrecision(4))}
                    </td>
                  ))}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <DeleteCheckpoints model={model} steps={chosen.filter((step) => deletable.has(step))} onDeleted={() => setChosen([])} />
      <CheckpointCurves checkpoints={checkpoints} jobOf={jobOf} />
      <CheckpointScores trained={model} />
      {checkpoints.length > 0 && <EvaluateCheckpoint trained={model} steps={checkpoints.map(({ step }) => step)} />}
      {versions.length > 0 && <ChatPanes modelId={model.id} base={model.base_model} versions={versions} />}
    </>
  )
}

/** The metrics that say how good a checkpoint is before those that count what it was made of. */
function rewardsFirst(names: readonly string[]): readonly string[] {
  const rank = (name: string) => (name.includes('reward') ? 0 : name.includes('loss') ? 1 : 2)
  return names.toSorted((a, b) => rank(a) - rank(b))
}
