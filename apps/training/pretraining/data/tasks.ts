import { arithmetic } from './arithmetic.ts'
import type { Task } from './exercise.ts'
import { facts } from './facts.ts'
import { jsonTasks } from './json-tasks.ts'
import { listTasks } from './list-tasks.ts'
import { smallTalk } from './small-talk.ts'
import { toolTasks } from './tool-tasks.ts'
import { wordTasks } from './word-tasks.ts'

/** All that the base models are taught. */
export const tasks: readonly Task[] = [smallTalk, facts, ...arithmetic, ...wordTasks, ...listTasks, ...jsonTasks, ...toolTasks]

/**
 * Tasks that are little more than copying. A run begins with them: most tasks build on looking up words in the question, and that is learned several
 * times faster alone than among all tasks.
 */
export const copyTasks: readonly Task[] = tasks.filter(({ name }) => ['repeat', 'uppercase', 'first-letter', 'spell'].includes(name))
