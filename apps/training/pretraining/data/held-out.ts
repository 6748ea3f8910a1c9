import type { Exercise, Task } from './exercise.ts'
import { createRandom, type Random } from './random.ts'

/** Of ten exercises, about one is never trained on. */
const share = 10

/** Whether an exercise is kept for evaluation: a matter of its task and key alone (FNV-1a), whatever the seed and the wording. */
export function isHeldOut(task: Task, key: string): boolean {
  let hash = 0x811c9dc5
  for (const character of `${task.name} ${key}`) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return ((hash ^ (hash >>> 15)) >>> 0) % share === 0
}

/** Tasks with so few keys that those held out would be unknown, not untrained: they are learned by heart. */
const byHeart = new Set(['small-talk', 'tool-not-needed', 'begins-with', 'word-of-length'])

export function createTrainingExercise(task: Task, random: Random): Exercise {
  for (;;) {
    const exercise = task.create(random)
    if (byHeart.has(task.name) || !isHeldOut(task, exercise.key)) return exercise
  }
}

/** Exercises that training never shows, except those of tasks learned by heart. The same for every model. */
export function heldOutExercises(task: Task, count: number): Exercise[] {
  const random = createRandom(0x5eed)
  const found: Exercise[] = []
  while (found.length < count) {
    const exercise = task.create(random)
    if (byHeart.has(task.name) || isHeldOut(task, exercise.key)) found.push(exercise)
  }
  return found
}
