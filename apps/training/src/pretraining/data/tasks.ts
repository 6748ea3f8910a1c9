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
 * Tasks that are copying and little else. A run begins with them: looking up what stands in the question is what most tasks build on, and it is learned
 * several times faster alone than among all of them.
 */
export const copyTasks: readonly Task[] = tasks.filter(({ name }) => ['repeat', 'uppercase', 'first-letter', 'spell'].includes(name))
