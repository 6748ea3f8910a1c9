import { open } from 'node:fs/promises'
import { isApiError } from '@heddle/core-api'
import type { Checkpoint, TrainedModel } from '@heddle/core-api/types'
import { connect, connectTraining, type TrainingClient } from '../connect.ts'
import { sizeText } from '../training/base-model-size.ts'
import { downloadExport } from '../training/download-export.ts'
import { withCheckpoint } from '../training/read-checkpoint.ts'
import { findModel, splitProject } from '../training/find-model.ts'
import { modelsOf } from '../training/models-of.ts'
import { numberText } from '../training/number-text.ts'
import type { ActionDeps } from '../program-flags.ts'
import type { Flags } from '../settings/configuration.ts'
import { formatBytes } from '../terminal/measures.ts'
import { formatTable } from '../terminal/table.ts'
import { toTerminalText } from '../terminal/terminal-text.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { messageOf } from '../terminal/message-of.ts'

export type ModelFlags = Flags & { project: string; json?: boolean }

/** Checkpoints that are shown of a model. */
const shownCheckpoints = 10

/** Prints the models of a project with their newest checkpoints. */
export async function listModels(flags: ModelFlags, { configuration, terminal }: ActionDeps): Promise<void> {
  const client = await connectTraining(configuration)
  const models = []
  for await (const model of modelsOf(client, flags.project)) models.push({ ...model, newest: await findNewest(client, model) })
  if (flags.json) return terminal.json(JSON.stringify(models, null, 2))
  if (models.length === 0)
    return terminal.note(
      `Project ${flags.project} has no models yet; register one with \`heddle models register <name> --base-model <id>\``,
    )
  const rows = models.map(({ name, base_model, newest, id }) => [
    toTerminalText(name),
    base_model,
    String(newest?.step ?? ''),
    rewardOf(newest),
    id,
  ])
  terminal.out(formatTable({ head: ['Name', 'Base model', 'Step', 'Reward', 'Id'], rows, right: ['Step', 'Reward'] }))
}

/** Registers a model, and prints it. */
export async function registerModel(
  name: string,
  flags: ModelFlags & { baseModel: string },
  { configuration, terminal }: ActionDeps,
): Promise<void> {
  const client = await connectTraining(configuration)
  const model = await client.models.create({ ...splitProject(flags.project), name, base_model: flags.baseModel, return_existing: true })
  if (flags.json) terminal.json(JSON.stringify(model, null, 2))
  else terminal.out(`${model.entity}/${model.project}/${model.name}  ${model.id}`)
}

/** Prints a model with its newest checkpoints, and the learning rates that teach its base model something. */
export async function showModel(nameOrId: string, flags: ModelFlags, { configuration, terminal }: ActionDeps): Promise<void> {
  const client = await connectTraining(configuration)
  const model = await findModel(client, nameOrId, flags.project)
  const { data: checkpoints } = await client.checkpoints.list({ model_id: model.id, order: 'desc', limit: shownCheckpoints })
  const base = (await client.baseModels.list({ limit: 100 })).data.find(({ id }) => id === model.base_model)
  if (flags.json) return terminal.json(JSON.stringify({ ...model, base, checkpoints }, null, 2))
  const facts = [
    `Model          ${toTerminalText(`${model.entity}/${model.project}/${model.name}`)}`,
    `Id             ${model.id}`,
    `Base model     ${model.base_model}${base ? `, ${sizeText(base)}` : ', which is not served here'}`,
    ...(base ? [`Learning rate  ${base.learning_rates.rl} for rewards, ${base.learning_rates.sft} for conversations`] : []),
    '',
  ]
  const rows = checkpoints.map((checkpoint) => [
    String(checkpoint.step),
    rewardOf(checkpoint),
    metricOf(checkpoint, ['policy_loss', 'loss']),
    formatBytes(checkpoint.size_bytes),
    checkpoint.kept_by === null ? '' : `by ${toTerminalText(checkpoint.kept_by)}`,
  ])
  const head = ['Step', 'Reward', 'Loss', 'Size', 'Kept']
  terminal.out(`${facts.join('\n')}\n${formatTable({ head, rows, right: ['Step', 'Reward', 'Loss', 'Size'] })}`)
}

type ExportOf = Parameters<TrainingClient['checkpoints']['export']>[0]

export type ExportFlags = ModelFlags & { step?: string; out: string; format: ExportOf['format'] | 'archive'; numbers?: ExportOf['numbers'] }

/** Writes a checkpoint as an archive, or as a folder that other programs load. @throws UsageError when the file or the folder is there */
export async function exportModel(nameOrId: string, flags: ExportFlags, { configuration, terminal }: ActionDeps): Promise<void> {
  const client = await connectTraining(configuration)
  const model = await findModel(client, nameOrId, flags.project)
  const step = flags.step === undefined ? ((await findNewest(client, model))?.step ?? 0) : parseStep(flags.step)
  if (flags.format !== 'archive') {
    const connection = await connect(configuration)
    const exportRequest = { model_id: model.id, step, format: flags.format, numbers: flags.numbers ?? null }
    const { bytes, files } = await downloadExport(connection, exportRequest, flags.out)
    return terminal.note(`Wrote step ${step} of ${toTerminalText(model.name)} to ${flags.out}: ${files.join(', ')} (${formatBytes(bytes)})`)
  }
  if (flags.numbers !== undefined)
    throw new UsageError('--numbers goes with --format safetensors or gguf; an archive has the weights as they were trained')
  const file = await open(flags.out, 'wx').catch((error: unknown) => {
    throw new UsageError(`cannot write ${flags.out}: ${messageOf(error)}`)
  })
  try {
    const { bytes } = await client.checkpoints.archive({ model_id: model.id, step }, { timeoutMs: 600_000 })
    await file.writeFile(bytes)
    await file.sync()
    terminal.note(`Wrote step ${step} of ${toTerminalText(model.name)} to ${flags.out} (${formatBytes(bytes.byteLength)})`)
  } finally {
    await file.close()
  }
}

/**
 * Registers a model and gives it the weights of a folder or an archive as its first checkpoint. Where they are refused, a model that was registered for them is
 * removed again. @throws UsageError when nothing says what they were trained from
 */
export async function importModel(
  name: string,
  path: string,
  flags: ModelFlags & { baseModel?: string },
  { configuration, terminal }: ActionDeps,
): Promise<void> {
  await withCheckpoint(path, async ({ archive, baseModel }) => {
    const base_model = flags.baseModel ?? baseModel
    if (base_model === undefined)
      throw new UsageError(`${path} does not say which base model its weights belong to; name it with --base-model`)
    const client = await connectTraining(configuration)
    const { model, isNew } = await registerForImport(client, { ...splitProject(flags.project), name, base_model })
    const request = { model_id: model.id, bytes: archive, content_type: 'application/gzip' }
    const checkpoint = await client.checkpoints.import(request, { timeoutMs: 600_000 }).catch(async (error: unknown) => {
      if (isNew) await removeUnused(client, model)
      throw error
    })
    if (flags.json) return terminal.json(JSON.stringify({ ...model, checkpoint }, null, 2))
    terminal.out(`${model.entity}/${model.project}/${model.name}  ${model.id}  step ${checkpoint.step}`)
  })
}

type NewModel = Parameters<TrainingClient['models']['create']>[0]

async function registerForImport(client: TrainingClient, model: NewModel): Promise<{ model: TrainedModel; isNew: boolean }> {
  try {
    return { model: await client.models.create({ ...model, return_existing: false }), isNew: true }
  } catch (error) {
    if (!isApiError(error) || error.code !== 'conflict') throw error
    return { model: await client.models.create({ ...model, return_existing: true }), isNew: false }
  }
}

/** Deletes a model that has no job and no checkpoint but its first. A failed deletion is ignored: the caller reports the refused import. */
async function removeUnused(client: TrainingClient, model: TrainedModel): Promise<void> {
  try {
    const jobs = await client.trainingJobs.list({ model_id: model.id, limit: 1 })
    const newest = await findNewest(client, model)
    if (jobs.data.length === 0 && newest?.step === 0) await client.models.delete({ model_id: model.id })
  } catch (error) {
    if (!isApiError(error)) throw error
  }
}

function parseStep(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--step must be a whole number, got ${JSON.stringify(text)}`)
}

async function findNewest(client: TrainingClient, { id }: TrainedModel): Promise<Checkpoint | undefined> {
  return (await client.checkpoints.list({ model_id: id, order: 'desc', limit: 1 })).data[0]
}

const rewardOf = (checkpoint: Checkpoint | undefined) => metricOf(checkpoint, ['train/reward', 'reward', 'val/reward'])

function metricOf(checkpoint: Checkpoint | undefined, names: readonly string[]): string {
  const value = names.map((name) => checkpoint?.metrics[name]).find((each) => each !== undefined)
  return value === undefined ? '' : numberText(value)
}
