import type { Exercise, Task, ToolSignature, Turn } from './exercise.ts'
import { createTrainingExercise } from './held-out.ts'
import type { Random } from './random.ts'

export interface Conversation {
  system: string | null
  tools: readonly ToolSignature[]
  turns: readonly Turn[]
}

const systems = [
  'You are a helpful assistant.',
  'Be short.',
  'You are Heddle.',
  'Answer briefly.',
  'You help with small tasks.',
  'Answer with one word when you can.',
]

function pickTask(random: Random, tasks: readonly Task[]): Task {
  let left = random.next() * tasks.reduce((sum, { weight }) => sum + weight, 0)
  return tasks.find(({ weight }) => (left -= weight) < 0) ?? (tasks[0] as Task)
}

export function conversationOf(exercise: Exercise, system: string | null): Conversation {
  return { system, tools: exercise.tools ?? [], turns: exercise.turns }
}

/** A system prompt at times, and one exercise, or a few about different things. */
export function createConversation(random: Random, tasks: readonly Task[]): Conversation {
  const system = random.chance(0.25) ? random.pick(systems) : null
  const first = createTrainingExercise(pickTask(random, tasks), random)
  const turns: Turn[] = [...first.turns]
  while (random.chance(0.25)) {
    const more = createTrainingExercise(pickTask(random, tasks), random)
    if (!more.tools) turns.push(...more.turns)
  }
  return { ...conversationOf(first, system), turns }
}
