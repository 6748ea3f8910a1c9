import { resolve } from 'node:path'
import { readGroupLines } from '@heddle/agent-instrumentation'
import { collectGivenGroups, GroupsRefused, isTrainable, planTraining } from '@heddle/agent-instrumentation/from-traces'
import { training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { connect, exactRequests } from '../connect.ts'
import type { ActionDeps } from '../program-flags.ts'
import { withSteps } from '../terminal/progress.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { findModel } from '../training/find-model.ts'
import { toJobConfig } from '../training/from-traces-flags.ts'
import { contextLengthOf, type StartFlags, startOrReport, uploadTimeoutMs } from '../training/start-or-report.ts'
import { countText } from '../eval/present/run-text.ts'
import { describeLine } from '../trajectories/describe-line.ts'
import { asUsageError } from '../trajectories/file-errors.ts'
import { watchJob } from './jobs.ts'
import type { ModelFlags } from './models.ts'

export type TrainFileFlags = ModelFlags & StartFlags & { config?: string[]; allowTrainingWithoutLogprobs?: boolean }

interface Deps extends ActionDeps {
  signal: AbortSignal
}

/**
 * Reads trajectory groups of a file, reports on them, and starts a job. False when there is nothing to train on, or a watched job did not succeed.
 * @throws UsageError that names the file, or the line which is refused
 */
export async function trainFromFile(nameOrId: string, file: string, flags: TrainFileFlags, deps: Deps): Promise<boolean> {
  const { configuration, terminal, signal } = deps
  const config = toJobConfig(flags)
  const path = resolve(file)
  const { baseUrl, apiKey } = await connect(configuration)
  const client = createClient({ baseUrl, apiKey, contract: training, json: exactRequests, retries: 1, timeoutMs: uploadTimeoutMs })
  const model = await findModel(client, nameOrId, flags.project)
  const maxTokens = await contextLengthOf(client, model)
  const withoutLogprobs = flags.allowTrainingWithoutLogprobs ?? false
  const collected = await withSteps(terminal, (onStep) => {
    const onProgress = ({ groups, trajectories }: { groups: number; trajectories: number }) => {
      signal.throwIfAborted()
      onStep(`Reading groups: ${groups}, ${trajectories} trajectories`)
    }
    return collectGivenGroups(readGroupLines(path), { withoutLogprobs, maxTokens, onProgress })
  }).catch((error: unknown) => {
    throw asUsageError(error, path)
  })
  const { traces: _none, ...plan } = planTraining(collected, { maxTokens })
  const trained = collected.groups.filter(isTrainable)
  const source = `File           ${countText(collected.groups.length, 'group')} read from ${path}`
  const started = await startOrReport(
    client,
    { model, source, plan, groups: trained.map(({ given }) => given), config },
    flags,
    terminal,
  ).catch((error: unknown) => {
    const issue = error instanceof GroupsRefused ? error.issues[0] : undefined
    throw issue ? new UsageError(describeLine(issue, (place) => trained[place], path)) : error
  })
  if (started.jobId === null) return started.ok
  return flags.watch ? watchJob(started.jobId, flags, deps) : true
}
