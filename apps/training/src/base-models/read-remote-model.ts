import { join } from 'node:path'
import { z } from 'zod'
import { parseModelConfig } from '../checkpoint-files/config-file.ts'
import { countParameters } from '../checkpoint-files/model-config.ts'
import { ModelFileError } from '../checkpoint-files/model-file-error.ts'
import { readJsonFile } from '../checkpoint-files/read-json-file.ts'
import type { BaseModel } from '../engine/engine.ts'
import { BaseModelError } from './base-model-error.ts'
import { checkVocabulary, idOf } from './read-base-model.ts'
import { readTrainingSettings } from './training-settings.ts'

const size = z.number().int().positive()

/** What the `config.json` of any family says of its texts; models of several kinds of input say it in `text_config`. */
const Texts = z.looseObject({ max_position_embeddings: size, vocab_size: size })
const ConfigFile = z.union([z.looseObject({ text_config: Texts }).transform(({ text_config: texts }) => texts), Texts])

/**
 * Reads the description of a model that a training server computes: `config.json`, tokenizer and chat template. Its weights need not be there, and its
 * family may be any.
 * @throws BaseModelError or ModelFileError naming the file and the invalid key
 */
export function readRemoteModel(folder: string): BaseModel {
  const id = idOf(folder)
  const path = join(folder, 'config.json')
  const file = readJsonFile(path)
  const texts = ConfigFile.safeParse(file)
  if (!texts.success)
    throw new BaseModelError(`${path} needs "max_position_embeddings" and "vocab_size", here or in "text_config", as numbers above 0`)
  checkVocabulary(folder, texts.data.vocab_size)
  const parameters = countKnown(file, path)
  return { id, folder, parameters, contextLength: texts.data.max_position_embeddings, ...readTrainingSettings(folder, parameters) }
}

/** Null for a model that is not computed here. */
function countKnown(file: unknown, path: string): number | null {
  try {
    return countParameters(parseModelConfig(file, path))
  } catch (error) {
    if (error instanceof ModelFileError) return null
    throw error
  }
}
