import { training } from '@heddle/core-api'
import type { TrainingEvent, TrainingConfig } from '@heddle/core-api/types'
import { type ClientOf, createClient } from '@heddle/core-api/client'
import { stringifyJson } from '@heddle/json/exact'
import type { RecordedGroup } from '../trajectory/recorded.ts'
import { contentId } from './content-id.ts'
import { explained } from './describe-issues.ts'

export type TrainingClient = ClientOf<typeof training>

/** Numbers in requests keep their recorded form; those in responses are JavaScript numbers. */
const json = { parse: (text: string): unknown => JSON.parse(text), stringify: stringifyJson }

/** Bytes of JSON of one request to log; a larger group is sent alone. */
const maxRequestBytes = 16 * 1024 * 1024

export interface LoggedGroups {
  groups: number
  trajectories: number
  requests: number
}

export interface TrainingConnection {
  baseUrl: string
  apiKey: string | undefined
  fetch: typeof fetch
}

export function createTrainingClient({ apiKey, ...connection }: TrainingConnection): TrainingClient {
  return createClient({ ...connection, contract: training, timeoutMs: 600_000, json, ...(apiKey !== undefined && { apiKey }) })
}

/** Sends groups to the log of a model, in requests of at most 16 MiB. The key of each is that of its content, so a repeated request adds nothing. */
export async function logGroups(
  client: TrainingClient,
  modelId: string,
  split: string,
  groups: readonly RecordedGroup[],
): Promise<LoggedGroups> {
  const chunks = cut(groups)
  for (const chunk of chunks) {
    const idempotencyKey = contentId('log', modelId, split, ...chunk)
    const request = { model_id: modelId, split, trajectory_groups: chunk, 'idempotency-key': idempotencyKey }
    await client.trajectories.log(request).catch((error: unknown) => {
      throw explained(error, chunk)
    })
  }
  return {
    groups: groups.length,
    trajectories: groups.reduce((total, group) => total + group.trajectories.length, 0),
    requests: chunks.length,
  }
}

/** Starts a job. The same key names the same job for 24 hours; by default that of the groups and settings. Returns its id. */
export async function createTrainingJob(
  client: TrainingClient,
  modelId: string,
  groups: readonly RecordedGroup[],
  config: Partial<TrainingConfig> | undefined,
  key?: string,
): Promise<string> {
  const request = { model_id: modelId, trajectory_groups: [...groups], ...(config && { experimental_config: config }) }
  const job = await client.trainingJobs
    .create({ ...request, 'idempotency-key': key ?? contentId('train', modelId, config, ...groups) })
    .catch((error: unknown) => {
      throw explained(error, groups)
    })
  return job.id
}

/** Yields the events of a job as they arrive, up to and including the last. Leaving the loop stops the polling; the job continues. */
export async function* watchJob(client: TrainingClient, jobId: string, { pollMs = 1_000 } = {}): AsyncGenerator<TrainingEvent> {
  let after: string | undefined
  for (;;) {
    const page = await client.trainingEvents.list({ job_id: jobId, limit: 100, ...(after !== undefined && { after }) })
    for (const event of page.data) {
      yield event
      after = event.id
      if (event.type === 'training_ended' || event.type === 'training_failed') return
    }
    if (!page.has_more) await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

function cut(groups: readonly RecordedGroup[]): RecordedGroup[][] {
  const chunks: RecordedGroup[][] = []
  let room = 0
  for (const group of groups) {
    const size = stringifyJson(group).length
    const last = chunks.at(-1)
    if (last && size <= room) last.push(group)
    else {
      chunks.push([group])
      room = maxRequestBytes
    }
    room -= size
  }
  return chunks
}
