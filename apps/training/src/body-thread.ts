import { bodyTasks } from './body-tasks.ts'
import { runTask } from './body-threads/run-task.ts'

/** The entry of a thread that reads a body. */
await runTask(bodyTasks)
