import type { Random } from './random.ts'

export interface ToolSignature {
  name: string
  /** Argument → JSON type. */
  arguments: Readonly<Record<string, 'string' | 'number'>>
}

export interface ToolCall {
  name: string
  arguments: Readonly<Record<string, string | number>>
}

export type Turn = { role: 'user' | 'tool'; content: string } | { role: 'assistant'; content: string; call?: ToolCall }

/** A task with its answer: the first turn is the user's, the second the assistant's. */
export interface Exercise {
  /** The task apart from its wording: it decides whether the exercise is held out. */
  key: string
  turns: readonly [Turn, Turn, ...Turn[]]
  tools?: readonly ToolSignature[]
  /** Whether another text than the second turn is right too. Absent: only that text is. */
  accepts?: (text: string) => boolean
}

export interface Task {
  name: string
  /** How often it occurs, relative to other tasks. */
  weight: number
  create(random: Random): Exercise
}

export function question(key: string, asked: string, answer: string, accepts?: (text: string) => boolean): Exercise {
  const turns = [
    { role: 'user', content: asked },
    { role: 'assistant', content: answer },
  ] as const
  return accepts ? { key, turns, accepts } : { key, turns }
}
