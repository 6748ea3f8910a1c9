import { join } from 'node:path'
import { parseModelConfig } from './config-file.ts'
import { findGguf } from './gguf/find-gguf.ts'
import { openGguf } from './gguf/open-gguf.ts'
import type { ModelConfig } from './model-config.ts'
import { readJsonFile } from './read-json-file.ts'

/** The shape of the model in a folder, from `config.json` or its GGUF file. @throws ModelFileError naming the key that no model of its family has, or whose value is not taken */
export function readModelConfig(folder: string): ModelConfig {
  const gguf = findGguf(folder)
  if (gguf === null) return readJsonConfig(join(folder, 'config.json'))
  const { config, close } = openGguf(gguf)
  close()
  return config
}

const readJsonConfig = (path: string) => parseModelConfig(readJsonFile(path), path)
