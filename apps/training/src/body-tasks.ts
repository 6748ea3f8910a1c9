import { prepareRlBody, prepareSftBody } from './jobs/prepare-body.ts'
import { checkRequest } from './request-body/check-request.ts'
import { unpackForModel } from './resources/checkpoints/unpack-for-model.ts'
import { listJobGroups, listJobTrajectories } from './resources/job-trajectories/read-job-input.ts'
import { readRecordedGroup } from './resources/recorded-trajectories/read-recorded-group.ts'
import { listLoggedGroups } from './resources/trajectories/list-logged-groups.ts'
import { checkTrainingFile } from './resources/training-files/check-training-file.ts'
import { toLog } from './resources/trajectories/to-log.ts'
import { measureLongest } from './training/sft/measure-longest.ts'

/** Processing of large bodies, by the names under which threads find it. */
export const bodyTasks = {
  checkRequest,
  checkTrainingFile,
  listJobGroups,
  listJobTrajectories,
  listLoggedGroups,
  measureLongest,
  prepareRlBody,
  prepareSftBody,
  readRecordedGroup,
  toLog,
  unpackForModel,
}

/** The module of a thread that runs them. The build puts it next to this one. */
export const bodyThread = new URL(import.meta.url.endsWith('.ts') ? './body-thread.ts' : './body-thread.js', import.meta.url)
