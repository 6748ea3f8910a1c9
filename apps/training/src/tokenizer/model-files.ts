import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { TokenizerError } from './tokenizer-error.ts'

const maxBytes = 64 * 1024 * 1024

/** The text of a file of a model folder; null if the file does not exist. @throws TokenizerError if it is larger than 64 MiB */
export async function findModelFile(folder: string, name: string): Promise<string | null> {
  const path = join(folder, name)
  let file
  try {
    // Without waiting for the other end of a pipe.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new TokenizerError(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
  }
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new TokenizerError(`${path} cannot be read: it is not a file`)
    const { size } = stat
    if (size > maxBytes) throw new TokenizerError(`${path} has ${size} bytes; files beside a model may have ${maxBytes}`)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** An object in a JSON file of a model folder; null if the file does not exist. @throws TokenizerError if it contains no object */
export async function findModelJson(folder: string, name: string): Promise<Record<string, unknown> | null> {
  const text = await findModelFile(folder, name)
  if (text === null) return null
  const value = parseJsonFile(text, join(folder, name))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TokenizerError(`${join(folder, name)} holds no JSON object`)
  }
  return value as Record<string, unknown>
}

/** @throws TokenizerError when the file is missing as well */
export async function readModelJson(folder: string, name: string): Promise<Record<string, unknown>> {
  const value = await findModelJson(folder, name)
  if (value === null) throw new TokenizerError(`${join(folder, name)} is missing: the folder of a model needs it`)
  return value
}

function parseJsonFile(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new TokenizerError(`${path} is not JSON: ${(error as Error).message}`, { cause: error })
  }
}
