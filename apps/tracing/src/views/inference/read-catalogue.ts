import { readFile, stat } from 'node:fs/promises'
import type { InferenceModel } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { Outgoing } from '@heddle/outgoing'
import { type Catalogue, parseCatalogue } from './catalogue.ts'

/** Called with a problem of a catalogue, which continues with the models read last. */
export type OnCatalogueProblem = (problem: string, error?: unknown) => void

interface CachedModels {
  models: readonly InferenceModel[]
  /** Replaces the models by those of a text. @throws Error if it is not a catalogue */
  replace(text: string): void
}

function keptModels(onProblem: OnCatalogueProblem): CachedModels {
  const kept: CachedModels = {
    models: [],
    replace(text) {
      const { models, problems } = parseCatalogue(text)
      for (const problem of problems) onProblem(problem)
      kept.models = models
    },
  }
  return kept
}

/** A catalogue in a file, read again when the file has changed. */
export function fileCatalogue({ path, onProblem }: { path: string; onProblem: OnCatalogueProblem }): Catalogue {
  const kept = keptModels(onProblem)
  let version = ''
  return {
    async models() {
      try {
        const { mtimeMs, size, ino } = await stat(path)
        const found = `${mtimeMs} ${size} ${ino}`
        if (found !== version) {
          version = found
          kept.replace(await readFile(path, 'utf8'))
        }
      } catch (error) {
        onProblem(`${path} cannot be read`, error)
      }
      return kept.models
    },
  }
}

export interface UrlCatalogueOptions {
  url: string
  outgoing: Outgoing
  clock: () => Micros
  onProblem: OnCatalogueProblem
}

const refreshMicros = 3_600_000_000
const retryMicros = 60_000_000
const maxCatalogueBytes = 16 * 2 ** 20

/** A catalogue at an address, refreshed on access once an hour. Only the first reader waits. */
export function urlCatalogue({ url, outgoing, clock, onProblem }: UrlCatalogueOptions): Catalogue {
  const kept = keptModels(onProblem)
  let dueAt = Number.NEGATIVE_INFINITY
  let first: Promise<void> | undefined

  async function refresh(): Promise<void> {
    // A failed source is not retried for a while.
    dueAt = clock() + retryMicros
    try {
      const { status, bytes } = await outgoing.send({ url, maxResponseBytes: maxCatalogueBytes, timeoutMs: 10_000 })
      if (status !== 200) throw new Error(`the server returned status ${status}`)
      kept.replace(Buffer.from(bytes).toString())
      dueAt = clock() + refreshMicros
    } catch (error) {
      onProblem(`${new URL(url).host} gives no catalogue`, error)
    }
  }

  return {
    async models() {
      if (clock() >= dueAt) {
        const refreshed = refresh()
        first ??= refreshed
      }
      await first
      return kept.models
    },
  }
}
