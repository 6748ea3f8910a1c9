import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBaseModel } from '../../../base-models/read-base-model.ts'
import { shippedModelsFolder } from '../../../base-models/shipped-models.ts'
import { createEmbeddedEngine } from '../../embedded/embedded-engine.ts'
import { type SavedWeights, startTinkerServer } from './tinker-server.ts'

/**
 * A training server that Ray starts: `dying-server.ts PORT FOLDER STEP`, where what it saves outlives it.
 * The first one in the folder is killed at the optimizer step of this number.
 */
const [port, folder, deadly] = [Number(process.argv[2]), process.argv[3]!, Number(process.argv[4])]
const savedFile = join(folder, 'saved.jsonl')
const deathFile = join(folder, 'killed')

class SavedInFile extends Map<string, SavedWeights> {
  override set(address: string, weights: SavedWeights): this {
    appendFileSync(savedFile, `${JSON.stringify([address, weights])}\n`)
    return super.set(address, weights)
  }
}

function readSaved(): Map<string, SavedWeights> {
  const lines = existsSync(savedFile) ? readFileSync(savedFile, 'utf8').split('\n').filter(Boolean) : []
  writeFileSync(savedFile, '')
  const saved = new SavedInFile()
  for (const line of lines) saved.set(...(JSON.parse(line) as [string, SavedWeights]))
  return saved
}

let steps = 0
function killAtStep(path: string): undefined {
  if (path !== 'optim_step' || ++steps !== deadly || existsSync(deathFile)) return
  writeFileSync(deathFile, '')
  process.kill(process.pid, 'SIGKILL')
}

const engine = createEmbeddedEngine({
  entry: new URL('../../embedded/process/model-engine-child.ts', import.meta.url),
  baseModels: [readBaseModel(`${shippedModelsFolder}heddle-nano`)],
})
await startTinkerServer({ engine, folder, port, saved: readSaved(), fault: killAtStep })
