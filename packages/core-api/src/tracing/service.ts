import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf } from '../shapes/bounded.ts'

const Location = z.object({
  file_index: z.number(),
  range_start_int: z.number(),
  range_end_int: z.number(),
  range_start_ip: z.string(),
  range_end_ip: z.string(),
  country_code: z.string().describe('Two letters'),
  country_name: z.string().nullable(),
})

/** The service itself. */
export const service = defineResource({
  health: {
    method: 'GET',
    path: '/health',
    effect: 'read',
    open: true,
    summary: 'Tell that the service runs',
    output: z.object({ status: z.string().describe('`ok`') }),
  },
  version: {
    method: 'GET',
    path: '/version',
    effect: 'read',
    open: true,
    summary: 'Tell the version of the service',
    output: z.object({ version: z.string().describe('Version of the service') }),
  },
  serverInfo: {
    method: 'GET',
    path: '/server_info',
    effect: 'read',
    open: true,
    summary: 'Tell which clients the service works with',
    output: z.object({
      min_required_weave_python_version: z.string().describe('Lowest version of the Python client'),
      trace_server_version: z.string().nullable().describe('Version of the interface that the Python client compares with its own needs'),
    }),
  },
  geolocate: {
    method: 'GET',
    path: '/geolocate',
    effect: 'read',
    open: true,
    summary: 'Tell where a caller is',
    query: z.object({ ip: z.string().optional().describe('Address to look up. Absent: that of the caller') }),
    output: z.object({
      ip: z.string().describe('The address looked up'),
      location: Location.nullable().describe('Null when unknown'),
      allowed: z.boolean().describe('False when the place is refused service'),
    }),
  },
  projectsInfo: {
    method: 'POST',
    path: '/service/projects_info',
    effect: 'read',
    summary: 'Tell the internal ids of projects',
    body: z.object({ project_ids: listOf(z.string(), 1000).describe('Projects as `entity/project`') }),
    output: z
      .array(
        z.object({
          external_project_id: z.string().describe('Project as `entity/project`'),
          internal_project_id: z.string().describe('Never changes and holds no `/`'),
        }),
      )
      .describe('In the order of the request'),
  },
})
