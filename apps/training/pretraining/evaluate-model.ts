import { conversationOf } from './data/conversation.ts'
import { callText, decodeAnswer, encodePrompt } from './data/encode-conversation.ts'
import type { Exercise } from './data/exercise.ts'
import { heldOutExercises } from './data/held-out.ts'
import { tasks } from './data/tasks.ts'
import type { LocalTraining } from './local-training.ts'

/** Share of exercises answered exactly. */
export interface TaskAccuracy {
  task: string
  exercises: number
  /** The likeliest token at each position. */
  greedy: number
  /** At temperature 1, as rollouts are sampled. */
  sampled: number
}

const maxTokens = 80

/** Prompts that are answered side by side. */
const promptsAtOnce = 128

/** Answers `exercisesPerTask` held-out exercises of every task, each once greedily and once sampled with its own seed. */
export function evaluateModel(model: CompletingModel, exercisesPerTask: number): TaskAccuracy[] {
  const exercises = tasks.flatMap((task) => heldOutExercises(task, exercisesPerTask).map((exercise) => ({ task: task.name, exercise })))
  const greedy = answerAll(model, exercises, 0)
  const sampled = answerAll(model, exercises, 1)
  return tasks.map(({ name }) => {
    const shareRight = (answers: readonly boolean[]) =>
      answers.filter((right, at) => right && exercises[at]?.task === name).length / exercisesPerTask
    return { task: name, exercises: exercisesPerTask, greedy: shareRight(greedy), sampled: shareRight(sampled) }
  })
}

type CompletingModel = Pick<LocalTraining, 'complete'>

/** Which exercises were answered right, in their order. */
function answerAll(model: CompletingModel, exercises: readonly { exercise: Exercise }[], temperature: number): boolean[] {
  const right: boolean[] = []
  for (let first = 0; first < exercises.length; first += promptsAtOnce) {
    const part = exercises.slice(first, first + promptsAtOnce)
    const prompts = part.map(({ exercise }) => encodePrompt(conversationOf(exercise, null)))
    const completions = model.complete(prompts, { temperature, maxTokens, seed: BigInt(first) })
    right.push(...part.map(({ exercise }, at) => isRight(exercise, decodeAnswer(completions[at] ?? null))))
  }
  return right
}

/** Whether a text answers the exercise. Null, a turn without an end, never does. */
export function isRight({ turns, accepts }: Exercise, text: string | null): boolean {
  if (text === null) return false
  if (accepts) return accepts(text)
  const [, expected] = turns
  const call = expected.role === 'assistant' ? expected.call : undefined
  return text === (call ? `${expected.content}<tool_call>${callText(call)}</tool_call>` : expected.content)
}
