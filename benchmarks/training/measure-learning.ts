import type { Engine } from '@heddle/training'
import { loadTokenizer, type readBaseModel, runLearningTrial, verifierTasks } from '@heddle/training/testing'

/** Mean rewards of the rollouts of each job, with the seconds since the first began. */
export interface LearningCurve {
  task: string
  before: number
  after: number
  jobs: { seconds: number; reward: number }[]
}

export type ShippedModel = ReturnType<typeof readBaseModel>

/** Reward against wall time of the verifier tasks, from a shipped base model. */
export async function measureLearning(engine: Engine, model: ShippedModel, jobs: number): Promise<LearningCurve[]> {
  const tokenizer = await loadTokenizer(model.folder)
  const curves: LearningCurve[] = []
  for (const task of verifierTasks) {
    const since = performance.now()
    const rows: LearningCurve['jobs'] = []
    const onJob = (reward: number) => void rows.push({ seconds: Math.round((performance.now() - since) / 100) / 10, reward })
    const { before, after } = await runLearningTrial({ engine, tokenizer, model, task, seed: 1, ...task.trial, jobs, onJob })
    curves.push({ task: task.name, before, after, jobs: rows })
  }
  return curves
}
