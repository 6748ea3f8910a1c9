import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { SftEstimate, TrainedModel } from '@heddle/core-api/types'
import { type CheckedTrainingData, checkTrainingData, type TrainingDataKind } from '@heddle/training'
import { connect, type TrainingClient } from '../connect.ts'
import type { ActionDeps } from '../program-flags.ts'
import { unreadableFile } from '../terminal/file-problem.ts'
import { formatBytes } from '../terminal/measures.ts'
import { toTerminalText } from '../terminal/terminal-text.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { sizeText } from '../training/base-model-size.ts'
import { type ConfigFlags, type FineTuningConfig, toFineTuningConfig } from '../training/fine-tuning-config.ts'
import { findModelIfThere, splitProject } from '../training/find-model.ts'
import { uploadTimeoutMs } from '../training/start-or-report.ts'
import { watchJob } from './jobs.ts'
import type { ModelFlags } from './models.ts'

export type FineTuningFlags = ModelFlags & ConfigFlags & { base?: string; dryRun?: boolean; detach?: boolean; idempotencyKey?: string }

export interface FineTuning {
  kind: TrainingDataKind
  /** Name or id. */
  model: string
  file: string
}

interface Deps extends ActionDeps {
  signal: AbortSignal
}

/** As the service takes it. */
const maxBytes = 256 * 2 ** 20

/**
 * Checks the file, creates the model if it is new, uploads, starts the job and follows it. The same again is the same job. False when a followed job
 * did not succeed, or a line cannot be learned.
 * @throws UsageError that names the flag, the file or the model
 */
export async function fineTune({ kind, model: name, file }: FineTuning, flags: FineTuningFlags, deps: Deps): Promise<boolean> {
  const { configuration, terminal, signal } = deps
  const config = toFineTuningConfig(kind, flags)
  const path = resolve(file)
  const checked = await checkFile(path, kind, deps)
  if (checked === null) return false
  const { examples } = checked
  const { baseUrl, apiKey } = await connect(configuration)
  const client = createClient({ baseUrl, apiKey, contract: training, retries: 1, timeoutMs: uploadTimeoutMs })
  const there = await findModelIfThere(client, name, flags.project)
  const baseModel = baseOf(there, name, flags)
  const estimate = await estimateJob(client, { model: there, baseModel, ...checked, config })
  if (flags.dryRun) {
    await report({ client, estimate, config, kind, examples, isNew: there === undefined }, flags, deps)
    return true
  }
  const model =
    there ?? (await client.models.create({ ...splitProject(flags.project), name, base_model: baseModel, return_existing: true }))
  const { url } = await client.trainingData.create(
    { ...splitProject(flags.project), bytes: await readFile(path), content_type: 'application/jsonl' },
    { signal },
  )
  const key = flags.idempotencyKey === undefined ? {} : { 'idempotency-key': flags.idempotencyKey }
  const { id, created } = await client.trainingJobs.createSft({ model_id: model.id, training_data_url: url, config, ...key })
  if (flags.json) terminal.json(JSON.stringify({ job_id: id, model_id: model.id, created, [kind]: examples }))
  else {
    terminal.out(id)
    terminal.note(
      `${created ? 'Started' : 'Found'} a job on ${examples} ${wordOf(kind)}${created ? '' : '; --idempotency-key starts another'}`,
    )
  }
  if (flags.detach) {
    if (!flags.json) terminal.note(`Follow it with: heddle jobs watch ${id}`)
    return true
  }
  return await follow({ id, model }, flags, deps)
}

const wordOf = (kind: TrainingDataKind) => (kind === 'conversations' ? 'conversations' : 'preference pairs')

/** How many lines can be learned, and the longest; null when one cannot. */
async function checkFile(path: string, kind: TrainingDataKind, { terminal }: Deps): Promise<ExampleCount | null> {
  const refuse = (error: unknown) => {
    throw unreadableFile(error, path, 'a file of training data')
  }
  const { size } = await stat(path).catch(refuse)
  if (size > maxBytes)
    throw new UsageError(`${path} is ${formatBytes(size)}; training data may be at most ${formatBytes(maxBytes)}: split it`)
  const { examples, longest, errors, moreErrors } = await checkTrainingData(createReadStream(path), kind).catch(refuse)
  for (const error of errors) terminal.note(toTerminalText(error))
  if (moreErrors > 0) terminal.note(`and ${moreErrors} more`)
  if (errors.length > 0) {
    terminal.note(`Nothing was uploaded. Each line of ${toTerminalText(path)} must be like ${lineOf[kind]}`)
    return null
  }
  if (examples === 0) throw new UsageError(`${path} has no lines; write ${wordOf(kind)}, each in a line such as ${lineOf[kind]}`)
  return { examples, longest }
}

/** A short line of each kind. */
const lineOf: Readonly<Record<TrainingDataKind, string>> = {
  conversations: '{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}',
  preferences: '{"prompt": "Hi", "chosen": "Hello", "rejected": "What?"}',
}

type ExampleCount = Pick<CheckedTrainingData, 'examples' | 'longest'>

/** @throws UsageError when the model is new and nothing says from what, or it is not from that */
function baseOf(there: TrainedModel | undefined, name: string, { base, project }: FineTuningFlags): string {
  if (there && base !== undefined && base !== there.base_model)
    throw new UsageError(
      `--base ${base}: the model ${JSON.stringify(name)} is from ${there.base_model}; choose another name for a new model`,
    )
  const baseModel = there?.base_model ?? base
  if (baseModel !== undefined) return baseModel
  throw new UsageError(`project ${project} has no model ${JSON.stringify(name)}; create it with --base <id>, such as --base heddle-nano`)
}

interface JobToEstimate {
  /** Undefined if it is new. */
  model: TrainedModel | undefined
  baseModel: string
  examples: number
  longest: string | null
  config: FineTuningConfig
}

/** Refuses what the job would refuse, before a model is created and a file uploaded. @throws UsageError for an unknown base model, ApiError */
async function estimateJob(client: TrainingClient, { model, baseModel, examples, longest, config }: JobToEstimate): Promise<SftEstimate> {
  const from = model ? { model_id: model.id } : { base_model: baseModel }
  return client.trainingJobs.estimateSft({ ...from, examples, longest_example: longest, config })
}

interface DryRun {
  client: TrainingClient
  estimate: SftEstimate
  config: FineTuningConfig
  kind: TrainingDataKind
  examples: number
  isNew: boolean
}

async function report(
  { client, estimate, config, kind, examples, isNew }: DryRun,
  flags: FineTuningFlags,
  { terminal }: Deps,
): Promise<void> {
  if (flags.json) return terminal.json(JSON.stringify({ job_id: null, [kind]: examples, ...estimate, config }, null, 2))
  const { base_model: baseModel, learning_rate: learningRate, held_out: heldOut, steps, adapter, memory } = estimate
  const { longest_tokens: longest, context_tokens: context } = estimate
  const base = (await client.baseModels.list({ limit: 100 })).data.find(({ id }) => id === baseModel)
  const size = base ? `: ${sizeText(base)}` : ''
  const facts = [
    `Model          ${isNew ? 'new, ' : ''}from ${baseModel}${size}`,
    `Trains         ${adapter ? `an adapter of rank ${adapter.rank} on ${adapter.target_modules.join(', ')}` : 'every weight'}`,
    `Data           ${examples} ${wordOf(kind)}, ${heldOut} of them held out`,
    ...(longest === null
      ? []
      : [`Longest        about ${longest} tokens of ${context}${longest > context ? ': what is longer is not learned' : ''}`]),
    `Learning rate  ${String(learningRate)}`,
    `Steps          ${steps === null ? 'as many as the tokens fill' : steps}`,
    ...(memory
      ? [
          `Memory         ${formatBytes(memory.needed_bytes)} of ${formatBytes(memory.limit_bytes)} for models; about ${formatBytes(memory.process_bytes)} in its process`,
        ]
      : []),
  ]
  terminal.out(facts.join('\n'))
}

/** Follows the job; when the user leaves, says how to return to it. */
async function follow({ id, model }: { id: string; model: TrainedModel }, flags: FineTuningFlags, deps: Deps): Promise<boolean> {
  const { terminal, signal } = deps
  try {
    const isDone = await watchJob(id, flags, deps)
    if (isDone && !flags.json) {
      const address = `${model.entity}/${model.project}/${model.name}`
      terminal.note(`Use it:   heddle chat --model ${toTerminalText(address)} "Hello"`)
      terminal.note(
        `Download: heddle models export ${toTerminalText(model.name)} --project ${toTerminalText(flags.project)} --format gguf --out ${toTerminalText(model.name)}-gguf, or --format safetensors or peft`,
      )
    }
    return isDone
  } catch (error) {
    if (!signal.aborted) throw error
    terminal.note(`The job continues. Follow it again with the same command, or with: heddle jobs watch ${id}`)
    terminal.note(`Stop it with: heddle jobs cancel ${id}`)
    return true
  }
}
