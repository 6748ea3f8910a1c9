import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ModelFileError } from '../model-file-error.ts'

/** Path of the GGUF file that holds the model of a folder; null if other files do. @throws ModelFileError if there are several */
export function findGguf(folder: string): string | null {
  if (['model.safetensors', 'model.safetensors.index.json'].some((name) => existsSync(join(folder, name)))) return null
  if (!existsSync(folder)) return null
  const names = readdirSync(folder).filter((name) => name.endsWith('.gguf'))
  if (names.length > 1) {
    const shown = names.toSorted().slice(0, 3).join(', ')
    throw new ModelFileError('unsupported', `${folder} has ${names.length} GGUF files (${shown}); keep one, which holds the whole model`)
  }
  return names[0] === undefined ? null : join(folder, names[0])
}
