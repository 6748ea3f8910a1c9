import type { DemoContext } from './demo-context.ts'
import type { CheckpointEvaluation, EvaluatedTask } from './evaluate-checkpoint.ts'

/** Answers that are put into the queue: enough to try annotation on. */
const queued = 12
/** Of these, answers that get a note or a reaction. */
const commented = 5
const notedBy = 'heddle demo'
/** Of one token; made up, so that costs are there to look at. */
const price = { prompt_token_cost: 1e-7, completion_token_cost: 4e-7 }

export interface ReviewMaterial {
  queueId: string
}

/** Prices of the model, a queue with answers to review, and feedback on some. */
export async function addReviewMaterial(context: DemoContext, evaluations: readonly CheckpointEvaluation[]): Promise<ReviewMaterial> {
  const last = evaluations.at(-1)?.predictions ?? []
  // Wrong answers first: they are what a person wants to see.
  const chosen = last.toSorted((one, other) => one.reward - other.reward).slice(0, queued)
  await addPrices(context, evaluations)
  const queueId = await addQueue(context, chosen)
  await addFeedback(context, [...chosen.slice(0, commented), ...last.filter(({ correct }) => correct).slice(0, 1)])
  return { queueId }
}

async function addPrices({ tracing, options, address, signal }: DemoContext, evaluations: readonly CheckpointEvaluation[]): Promise<void> {
  const names = [address, ...evaluations.map(({ step }) => `${address}:step${step}`)]
  await tracing.costs.create({ project_id: options.project, costs: Object.fromEntries(names.map((name) => [name, price])) }, { signal })
}

async function addQueue({ tracing, options, modelName, signal }: DemoContext, chosen: readonly EvaluatedTask[]): Promise<string> {
  const project_id = options.project
  const val = { name: 'helpful', description: 'Does the answer help?', field_schema: { type: 'boolean' } }
  const spec = { project_id, object_id: 'helpful', val, builtin_object_class: 'AnnotationSpec' }
  const { digest } = await tracing.objects.create({ obj: spec }, { signal })
  const queue = {
    name: `Answers of ${modelName}`,
    description: 'The answers with the lowest rewards of the last evaluation',
    scorer_refs: [`weave:///${project_id}/object/helpful:${digest}`],
  }
  const { id: queue_id } = await tracing.annotationQueues.create({ project_id, ...queue }, { signal })
  const items = { call_ids: chosen.map(({ predictionId }) => predictionId), display_fields: ['inputs.inputs.question', 'output.answer'] }
  await tracing.annotationQueues.addCalls({ project_id, queue_id, ...items }, { signal })
  return queue_id
}

async function addFeedback({ tracing, options, signal }: DemoContext, chosen: readonly EvaluatedTask[]): Promise<void> {
  const project_id = options.project
  const batch = chosen.map(({ predictionId, asked, correct, task }) => ({
    project_id,
    weave_ref: `weave:///${project_id}/call/${predictionId}`,
    creator: notedBy,
    ...(correct
      ? { feedback_type: 'wandb.reaction.1', payload: { emoji: '👍' } }
      : {
          feedback_type: 'wandb.note.1',
          payload: { note: asked ? `The answer does not say ${task.weather}` : 'The tool was not called' },
        }),
  }))
  if (batch.length > 0) await tracing.feedback.createBatch({ batch }, { signal })
}
