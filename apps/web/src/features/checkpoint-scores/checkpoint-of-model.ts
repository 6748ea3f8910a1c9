/** A model that is trained, as addresses of its checkpoints name it. */
export interface TrainedName {
  entity: string
  project: string
  name: string
}

/** The model name for requests to the chat endpoint. */
export const addressOf = ({ entity, project, name }: TrainedName) => `${entity}/${project}/${name}`

/**
 * The step of the checkpoint that a stored model refers to: its `llm_model_id`, or a field `checkpoint`, names one of the trained model. Undefined
 * for any other model.
 */
export function stepOfModel(value: unknown, trained: TrainedName): number | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const field of ['llm_model_id', 'checkpoint']) {
    const text: unknown = Reflect.get(value, field)
    const [, address, step] = (typeof text === 'string' && /^(?:heddle\/|[a-z][a-z0-9]*-artifact:\/\/\/)?(.+):step(\d+)$/.exec(text)) || []
    if (address === addressOf(trained)) return Number(step)
  }
  return undefined
}
