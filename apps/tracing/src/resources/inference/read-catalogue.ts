import { readFile, stat } from 'node:fs/promises'
import type { InferenceModel } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import type { Outgoing } from '@heddle/outgoing'
import { type Catalogue, parseCatalogue } from './catalogue.ts'

/** What may be wrong with a catalogue, and continues with what was last read. */
export type OnCatalogueProblem = (problem: string, error?: unknown) => void

interface KeptModels {
  models: readonly InferenceModel[]
  /** Puts the models of a text in the place of those before. @throws Error when it is not a catalogue */
  replace(text: string): void
}

function keptModels(onProblem: OnCatalogueProblem): KeptModels {
  const kept: KeptModels = {
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

/** A catalogue at an address, asked again once an hour, when somebody wants to see it. Only the first reader waits. */
export function urlCatalogue({ url, outgoing, clock, onProblem }: UrlCatalogueOptions): Catalogue {
  const kept = keptModels(onProblem)
  let dueAt = Number.NEGATIVE_INFINITY
  let first: Promise<void> | undefined

  async function refresh(): Promise<void> {
    // A source that fails is left alone for a while.
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
