import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import '@heddle/testing'
import { inject } from 'vitest'
import { createEmbeddedEngine, type EmbeddedEngine } from '../engine/embedded/embedded-engine.ts'
import type { Engine } from '../engine/engine.ts'
import type { TrainingDeps } from '../training-deps.ts'
import { startTrainingApp, type TrainingApp } from './start-training-app.ts'
import { aConfig, writeRandomModel } from './write-random-model.ts'

export interface TinyApp {
  app: TrainingApp
  engine: EmbeddedEngine
  /** Sends requests of published clients to the service. */
  fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Registers a model of `tiny` in a project of its own. */
  createModel(): Promise<TinyModel>
  close(): Promise<void>
}

export interface TinyModel {
  id: string
  /** As requests name it: `local/<project>/agent`. */
  name: string
}

/**
 * The real service with the embedded engine, or one `around` it. Its base model `tiny` has random weights, a chat template with tools, and 768 tokens of
 * context.
 */
export async function startTinyApp(
  service: Pick<TrainingDeps, 'recordCalls'> = {},
  around: (embedded: EmbeddedEngine) => Promise<Engine> = async (embedded) => embedded,
): Promise<TinyApp> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-tiny-'))
  const contextLength = 768
  writeRandomModel(folder, { config: aConfig({ vocabularySize: 512, contextLength }) })
  const base = {
    id: 'tiny',
    folder,
    parameters: 1_000,
    contextLength,
    adapter: { rank: 4, alpha: 8 },
    learningRates: { rl: 1e-2, sft: 1e-2 },
  }
  const entry = new URL('model-engine-child.js', inject('builtChildren'))
  const engine = createEmbeddedEngine({ entry, baseModels: [base], memoryBytes: 64 * 2 ** 20, threads: 1 })
  const served = await around(engine)
  const app = await startTrainingApp({ service: { ...service, engine: served } })
  return {
    app,
    engine,
    fetch: (input, init) => app.service.fetch(new Request(input, init)),
    async createModel() {
      const project = `p-${randomUUID()}`
      const { id } = await app.client.models.create({ project, name: 'agent', base_model: 'tiny' })
      return { id, name: `local/${project}/agent` }
    },
    async close() {
      await app.close()
      if (served !== engine) await served.close()
      await engine.close()
      await rm(folder, { recursive: true })
    },
  }
}
