import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readModelConfig } from '../checkpoint-files/read-model-config.ts'
import { countParameters, type ModelConfig } from '../checkpoint-files/model-config.ts'
import { findGguf } from '../checkpoint-files/gguf/find-gguf.ts'
import { readJsonFile } from '../checkpoint-files/read-json-file.ts'
import { openTensorFiles } from '../checkpoint-files/tensor-files.ts'
import { matrixFormatOf } from '../engine/embedded/model/matrix-format.ts'
import type { MatrixFormat } from '../engine/embedded/model/parameters.ts'
import type { BaseModel } from '../engine/engine.ts'
import { BaseModelError } from './base-model-error.ts'
import { expectedTensors } from './expected-tensors.ts'
import { readTrainingSettings } from './training-settings.ts'

/** The content of a folder in the Hugging Face layout. */
export interface DescribedModel extends BaseModel {
  parameters: number
  config: ModelConfig
  /** In which its matrices are kept in memory. */
  format: MatrixFormat
}

/** As the tokenizer's own reader allows. */
const maxTokenizerBytes = 64 * 2 ** 20
/** As model ids travel in URLs and file names. */
const allowedId = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

/**
 * Reads the folder's description of the model, but not its weights: shapes of all tensors, ids of tokens, and whether there is a chat template.
 * @throws BaseModelError or ModelFileError naming the file and the invalid key
 */
export function readBaseModel(folder: string): DescribedModel {
  const id = idOf(folder)
  const config = readModelConfig(folder)
  const format = checkTensors(folder, config)
  checkGguf(folder)
  checkVocabulary(folder, config.vocabularySize)
  const parameters = countParameters(config)
  return { id, folder, parameters, contextLength: config.contextLength, ...readTrainingSettings(folder, parameters), config, format }
}

/** @throws BaseModelError */
export function idOf(folder: string): string {
  const id = basename(folder)
  if (allowedId.test(id)) return id
  throw new BaseModelError(`the folder name ${JSON.stringify(id)} is not a model id: use letters, digits, ".", "_" and "-", at most 128`)
}

/** Returns in which format the matrices are kept. */
function checkTensors(folder: string, config: ModelConfig): MatrixFormat {
  const files = openTensorFiles(folder, 'model')
  try {
    const expected = expectedTensors(config)
    for (const { name, shape } of expected) files.check(name, shape)
    const used = new Set(expected.map(({ name }) => name))
    const unused = files.names.find((name) => !used.has(name) && !isIdle(name, config))
    if (unused !== undefined) {
      throw new BaseModelError(
        `tensor ${JSON.stringify(unused.slice(0, 200))} in ${folder} belongs to no ${config.family} model: its config.json does not use it`,
      )
    }
    return matrixFormatOf(files, config)
  } finally {
    files.close()
  }
}

/** Tensors that older files hold and that change nothing: frequencies that are computed, and the embedding once more. */
function isIdle(name: string, { tiedEmbeddings }: ModelConfig): boolean {
  return name.endsWith('.rotary_emb.inv_freq') || (tiedEmbeddings && name === 'lm_head.weight')
}

function checkGguf(folder: string): void {
  const gguf = findGguf(folder)
  const missing = ['tokenizer.json', 'tokenizer_config.json'].find((name) => gguf !== null && !existsSync(join(folder, name)))
  if (gguf !== null && missing !== undefined) {
    throw new BaseModelError(
      `${gguf} has no ${missing} beside it: put tokenizer.json and tokenizer_config.json of the model there, since GGUF does not say exactly how texts are split into tokens`,
    )
  }
}

/** That each token is in a vocabulary of this size, and that there is a chat template. @throws BaseModelError or ModelFileError */
export function checkVocabulary(folder: string, size: number): void {
  const highest = highestTokenId(readJson(join(folder, 'tokenizer.json')))
  if (highest >= size)
    throw new BaseModelError(`${join(folder, 'tokenizer.json')} has a token with the id ${highest}; "vocab_size" in config.json is ${size}`)
  if (existsSync(join(folder, 'chat_template.jinja')) || existsSync(join(folder, 'chat_template.json'))) return
  const path = join(folder, 'tokenizer_config.json')
  const { chat_template: template } = readJson(path) as { chat_template?: unknown }
  if (template === undefined || template === null)
    throw new BaseModelError(`${path} has no "chat_template", and there is no chat_template.jinja or chat_template.json beside it`)
}

/** -1 if there are no tokens. */
function highestTokenId(file: unknown): number {
  const { model, added_tokens: added } = file as { model?: { vocab?: unknown }; added_tokens?: { id?: number }[] }
  const vocabulary = model?.vocab
  const ids = Array.isArray(vocabulary) ? [vocabulary.length - 1] : Object.values((vocabulary ?? {}) as Record<string, number>)
  return [...ids, ...(added ?? []).map(({ id }) => id ?? -1)].reduce((highest, id) => Math.max(highest, id), -1)
}

function readJson(path: string): object {
  const value = readJsonFile(path, maxTokenizerBytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BaseModelError(`${path} holds no JSON object`)
  return value
}
