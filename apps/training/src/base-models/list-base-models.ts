import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { BaseModelError } from './base-model-error.ts'
import { checkTokenizer } from './check-tokenizer.ts'
import type { BaseModel } from '../engine/engine.ts'
import { type DescribedModel, readBaseModel } from './read-base-model.ts'
import { readRemoteModel } from './read-remote-model.ts'

/** A folder that is not a base model, with the reason: it stops nothing, and is named where models are listed. */
export interface RefusedFolder {
  folder: string
  reason: string
}

/** Its name and the problem, in a form for users: without the operator's path. */
export function describeRefused({ folder, reason }: RefusedFolder): { name: string; reason: string } {
  return { name: basename(folder), reason: reason.replaceAll(folder, basename(folder)) }
}

export interface BaseModelList<Model extends BaseModel = DescribedModel> {
  /** Ordered by id. */
  models: readonly Model[]
  refused: readonly RefusedFolder[]
}

export interface BaseModelFolders {
  /** Folder of the models that are shipped with Heddle. */
  shipped: string
  /** Folder of the user's own models, one folder per model; null if there is none. */
  own: string | null
  /** False to take it that the tokenizers and chat templates of the shipped models work: trying them takes longer than all else. Default: true. */
  triesShipped?: boolean
}

/** Folders of one directory that are looked at. */
const maxFolders = 1_000

/**
 * Every base model there is. A model of the user's takes the name of a shipped one only under another folder name. Whatever is wrong with a folder keeps
 * no other from being listed.
 * @throws BaseModelError when a directory cannot be read
 */
export const listBaseModels = (folders: BaseModelFolders): Promise<BaseModelList> => listModels(folders, readBaseModel)

/** As `listBaseModels`, for a training server that has the weights: folders need none, and models may be of any family. */
export const listRemoteModels = (folders: BaseModelFolders): Promise<BaseModelList<BaseModel>> => listModels(folders, readRemoteModel)

async function listModels<Model extends BaseModel>(
  { shipped, own, triesShipped = true }: BaseModelFolders,
  read: (folder: string) => Model,
): Promise<BaseModelList<Model>> {
  const models = new Map<string, Model>()
  const refused: RefusedFolder[] = []
  const ofShipped = listFolders(shipped).map((folder) => ({ folder, triesTokenizer: triesShipped }))
  const ofOwn = (own === null ? [] : listFolders(own)).map((folder) => ({ folder, triesTokenizer: true }))
  for (const { folder, triesTokenizer } of [...ofShipped, ...ofOwn]) {
    const outcome = await tryRead(() => read(folder), { folder, triesTokenizer })
    if ('reason' in outcome) refused.push(outcome)
    else if (models.has(outcome.id)) refused.push({ folder, reason: `there is another model "${outcome.id}": rename this folder` })
    else models.set(outcome.id, outcome)
  }
  return { models: [...models.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)), refused }
}

async function tryRead<Model>(
  read: () => Model,
  { folder, triesTokenizer }: { folder: string; triesTokenizer: boolean },
): Promise<Model | RefusedFolder> {
  try {
    const model = read()
    if (triesTokenizer) await checkTokenizer(folder)
    return model
  } catch (error) {
    const { message } = error as Error
    return { folder, reason: message.includes(folder) ? message : `${folder} cannot be used: ${message}` }
  }
}

function listFolders(directory: string): string[] {
  if (!existsSync(directory)) throw new BaseModelError(`the directory of base models, ${directory}, does not exist`)
  const folders = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
    .map(({ name }) => join(directory, name))
    .toSorted()
  if (folders.length > maxFolders) throw new BaseModelError(`${directory} has ${folders.length} folders; at most ${maxFolders} are read`)
  return folders
}
