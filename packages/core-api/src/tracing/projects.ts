import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { LenientBoolean, LenientInt } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ProjectId } from '../shapes/project.ts'

const include = (name: string) => orDefault(LenientBoolean, true).describe(`Fill \`${name}\``)
const bytes = (of: string) => z.number().nullable().describe(`Bytes of ${of}. Null when not asked for`)

const retention = z
  .object({ retention_days: z.number().nullable().describe('Days from the start of a call to its end of life. Null: calls are kept') })
  .meta({ id: 'Retention' })

/** What a project takes up, and how long its calls are kept. */
export const projects = defineResource({
  stats: {
    method: 'POST',
    path: '/project/stats',
    effect: 'read',
    summary: 'Measure what a project takes up',
    body: z.object({
      project_id: ProjectId,
      include_trace_storage_size: include('trace_storage_size_bytes'),
      include_object_storage_size: include('objects_storage_size_bytes'),
      include_table_storage_size: include('tables_storage_size_bytes'),
      include_file_storage_size: include('files_storage_size_bytes'),
    }),
    output: z.object({
      trace_storage_size_bytes: bytes('the payloads of all live calls'),
      objects_storage_size_bytes: bytes('the values of all live object versions'),
      tables_storage_size_bytes: bytes('all table rows, each counted once'),
      files_storage_size_bytes: bytes('all files'),
    }),
  },
  readTtlSettings: {
    method: 'POST',
    path: '/project/ttl_settings/read',
    effect: 'read',
    summary: 'Tell how long calls are kept',
    body: z.object({ project_id: ProjectId }),
    output: retention,
  },
  updateTtlSettings: {
    method: 'POST',
    path: '/project/ttl_settings/update',
    effect: 'destroy',
    summary: 'Set how long calls are kept',
    description: 'Holds for calls that are recorded from now on. A call whose time is over is gone from every answer at once.',
    body: z.object({
      project_id: ProjectId,
      retention_days: orNull(LenientInt).describe('Days from the start of a call, at least 1. Null: calls are kept'),
    }),
    output: retention,
  },
})
