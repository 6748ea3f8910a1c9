import { client } from '../../lib/server/client.ts'
import type { ProjectName } from '../../lib/use-project.ts'
import { addressOf, type TrainedName } from './checkpoint-of-model.ts'

const pollMs = 500
/** A run that has not begun by then waits behind other runs. */
const maxPolls = 60

interface EvaluationStart {
  trained: TrainedName
  step: number
  /** Reference to the evaluation. */
  evaluation: string
  /** Message to the model for each row, with columns in braces. Empty: only the row's `user_input`. */
  message: string
}

type CreatedObject = Parameters<typeof client.objects.create>[0]

/**
 * Publishes a checkpoint as a model, evaluates it on the server, and waits until the run has begun. Returns the id of the run.
 * @throws Error with the reason of a run that could not begin
 */
export async function startEvaluation(project: ProjectName, wanted: EvaluationStart, signal: AbortSignal): Promise<string> {
  return startRun(project, { evaluation: wanted.evaluation, model: await publishCheckpoint(project, wanted) }, signal)
}

/**
 * Evaluates a model on the server and waits until the run has begun. Takes references to both, and returns the id of the run.
 * @throws Error with the reason of a run that could not begin
 */
export async function startRun(
  project: ProjectName,
  { evaluation, model }: { evaluation: string; model: string },
  signal: AbortSignal,
): Promise<string> {
  const run = { project_id: project.id, evaluation_ref: evaluation, model_ref: model }
  const { call_id } = await client.evaluations.evaluateModel(run, { signal })
  for (let poll = 0; poll < maxPolls; poll++) {
    const { status } = await client.evaluations.status({ project_id: project.id, call_id }, { signal })
    if (status.code === 'failed') throw new Error(status.error ?? 'the server gave no reason')
    if (status.code !== 'not_found') return call_id
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    signal.throwIfAborted()
  }
  throw new Error('It waits behind other runs. The list of evaluation runs shows it once it has begun.')
}

async function publishCheckpoint({ id: project_id }: ProjectName, { trained, step, message }: EvaluationStart): Promise<string> {
  const name = `${trained.name}-step${step}`
  const classes = { _type: className, _class_name: className, _bases: ['Model', 'Object', 'BaseModel'] }
  const messages_template = message.trim() === '' ? [] : [{ role: 'user', content: message }]
  const default_params = { messages_template, response_format: 'text' }
  const val = { ...classes, name, llm_model_id: `heddle/${addressOf(trained)}:step${step}`, default_params }
  // Names of objects take fewer characters than those of models.
  const object_id = name.replaceAll(/[^\w.-]+/g, '-').slice(-maxNameLength)
  const { digest } = await client.objects.create({ obj: { project_id, object_id, val } } as unknown as CreatedObject)
  return `weave:///${project_id}/object/${object_id}:${digest}`
}

const className = 'LLMStructuredCompletionModel'
const maxNameLength = 120
