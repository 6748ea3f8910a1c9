import { checkRequest } from '../request-body/check-request.ts'
import { listJobGroups, listJobTrajectories } from '../resources/job-trajectories/read-job-input.ts'
import { readRecordedGroup } from '../resources/recorded-trajectories/read-recorded-group.ts'
import { unpackForModel } from '../resources/checkpoints/unpack-for-model.ts'
import { listLoggedGroups } from '../resources/trajectories/list-logged-groups.ts'
import { toLog } from '../resources/trajectories/to-log.ts'
import { prepareRlBody, prepareSftBody } from './prepare-body.ts'

/** What is done with large bodies. Each reads one from its beginning; what it takes and yields can be cloned, so that a thread may run it. */
export const bodyTasks = {
  checkRequest,
  listJobGroups,
  listJobTrajectories,
  listLoggedGroups,
  prepareRlBody,
  prepareSftBody,
  readRecordedGroup,
  toLog,
  unpackForModel,
}

type Tasks = typeof bodyTasks
export type BodyTask = keyof Tasks
export type TaskInput<Task extends BodyTask> = Parameters<Tasks[Task]>[1]
export type TaskItem<Task extends BodyTask> = ReturnType<Tasks[Task]> extends AsyncGenerator<infer Item> ? Item : never

/** A task with its input: a union over all of them would not let each be called. */
export const findTask = (task: BodyTask) =>
  bodyTasks[task] as (content: AsyncIterable<Uint8Array>, input: unknown, signal: AbortSignal) => AsyncGenerator<unknown>
