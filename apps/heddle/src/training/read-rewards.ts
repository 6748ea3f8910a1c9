import type { TrainingClient } from '../connect.ts'

const maxSteps = 100

/** Mean rewards of the newest steps of a model, the oldest first. Steps without one, such as those of supervised fine-tuning, are left out. */
export async function readRewards(client: TrainingClient, model_id: string): Promise<number[]> {
  const { data } = await client.checkpoints.list({ model_id, order: 'desc', limit: maxSteps })
  return data.toReversed().flatMap(({ metrics }) => metrics['train/reward'] ?? metrics['reward'] ?? [])
}
