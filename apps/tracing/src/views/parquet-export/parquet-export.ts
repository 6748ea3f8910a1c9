import { type Micros, repeatSweep, type RepeatedSweep } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { JobHandler } from '@heddle/jobs'
import type { Platform } from '../../platform.ts'
import { exportProject } from './export-project.ts'
import type { ListProjects, ParquetExportSettings } from './parquet-export-settings.ts'
import { sqlParquetStore } from './parquet-store.sql.ts'

export interface ParquetExportParts extends ParquetExportSettings {
  listProjects: ListProjects
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
}

const kind = 'export_parquet'
/** How often a server looks whether an export is due. */
const lookEveryMs = 60_000

/** Exports all projects periodically, each in a job: one server at a time, and again after a crash. */
export function createParquetExport(platform: Platform, { files, everyMs, listProjects, openProject }: ParquetExportParts) {
  const { analytical, visibility, jobs, clock, log } = platform
  const store = sqlParquetStore(analytical, visibility)
  let last: number | undefined

  const run: JobHandler = ({ project }, { signal, progress }) =>
    exportProject(project, {
      store,
      files,
      now: () => new Date(clock() / 1_000),
      signal,
      onProgress: (done, total) => progress(done / total, { done, total }),
    })

  /** A slot of time enqueues a project once, on whichever server, unless its last export is not over. */
  async function enqueueDue(signal: AbortSignal): Promise<void> {
    const slot = slotOf(clock(), everyMs)
    if (slot === last) return
    for await (const id of listProjects(signal)) {
      const project = await openProject(id, signal)
      if ((await jobs.countByKey(project, `${kind}/`)).unfinished > 0) continue
      await jobs.enqueue(project, { kind, payload: {}, serialKey: kind, idempotency: { key: `${kind}/${slot}`, content: '' } })
    }
    last = slot
  }

  return {
    jobKinds: { [kind]: run },
    start(): RepeatedSweep<void> {
      return repeatSweep(enqueueDue, {
        everyMs: Math.min(everyMs, lookEveryMs),
        onError: (error) => log?.error({ err: error }, 'failed to begin the export to Parquet; will retry in a minute'),
      })
    },
  }
}

const slotOf = (now: Micros, everyMs: number) => Math.floor(now / (everyMs * 1_000))
