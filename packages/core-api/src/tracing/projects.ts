import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { LenientBoolean, LenientInt } from '../shapes/lenient.ts'
import { orDefault, orNull } from '../shapes/optional.ts'
import { ProjectId } from '../shapes/project.ts'

const include = (name: string) => orDefault(LenientBoolean, true).describe(`Fill \`${name}\``)
const bytes = (of: string) => z.number().nullable().describe(`Bytes of ${of}. Null unless requested`)

const retention = z
  .object({ retention_days: z.number().nullable().describe('Days after the start of a call until it expires. Null: calls do not expire') })
  .meta({ id: 'Retention' })

/** Storage size and retention of a project. */
export const projects = defineResource({
  stats: {
    method: 'POST',
    path: '/project/stats',
    effect: 'read',
    summary: 'Get the storage size of a project',
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
      tables_storage_size_bytes: bytes('all table rows, counting each row once'),
      files_storage_size_bytes: bytes('all files'),
    }),
  },
  readTtlSettings: {
    method: 'POST',
    path: '/project/ttl_settings/read',
    effect: 'read',
    summary: 'Get the retention of calls',
    body: z.object({ project_id: ProjectId }),
    output: retention,
  },
  updateTtlSettings: {
    method: 'POST',
    path: '/project/ttl_settings/update',
    effect: 'destroy',
    summary: 'Set the retention of calls',
    description: 'Applies to calls that are recorded from now on. An expired call is no longer returned.',
    body: z.object({
      project_id: ProjectId,
      retention_days: orNull(LenientInt).describe('Days after the start of a call until it expires, at least 1. Null: calls do not expire'),
    }),
    output: retention,
  },
})
