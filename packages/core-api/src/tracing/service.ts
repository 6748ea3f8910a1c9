import { z } from 'zod'
import { defineResource } from '../operation.ts'
import { listOf } from '../shapes/bounded.ts'
import { Identifier } from '../shapes/identifier.ts'
import { ServiceConfiguration } from './service-configuration.ts'
import { ServiceHistory, ServiceHistoryRange } from './service-history.ts'
import { ServiceStorage } from './service-storage.ts'
import { ServiceStats } from './service-stats.ts'

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
export const service = defineResource('The service itself', {
  health: {
    method: 'GET',
    path: '/health',
    effect: 'read',
    open: true,
    summary: 'Check that the service is running',
    output: z.object({ status: z.string().describe('`ok`') }),
  },
  version: {
    method: 'GET',
    path: '/version',
    effect: 'read',
    open: true,
    summary: 'Get the version of the service',
    output: z.object({ version: z.string().describe('Version of the service') }),
  },
  serverInfo: {
    method: 'GET',
    path: '/server_info',
    effect: 'read',
    open: true,
    summary: 'Get the supported client versions',
    output: z.object({
      min_required_weave_python_version: z.string().describe('Minimum supported version of the Python client'),
      trace_server_version: z.string().nullable().describe('API version that the Python client checks for compatibility'),
    }),
  },
  stats: {
    method: 'GET',
    path: '/service/stats',
    effect: 'read',
    summary: 'Get the state of the server',
    description: 'An addition of this server. Requires an admin key for all projects, since it reports on all of them; others get 403.',
    output: ServiceStats,
  },
  configuration: {
    method: 'GET',
    path: '/service/configuration',
    effect: 'read',
    summary: 'Get the settings and limits of the server',
    description:
      'An addition of this server. Requires an admin key for all projects; others get 403. Without secrets. Settings are changed by the operator, with options of the command.',
    output: ServiceConfiguration,
  },
  storage: {
    method: 'GET',
    path: '/service/storage',
    effect: 'read',
    summary: 'Get what the server has on its disk, and its last backup',
    description: 'An addition of this server. Requires an admin key for all projects; others get 403.',
    output: ServiceStorage,
  },
  history: {
    method: 'GET',
    path: '/service/history',
    effect: 'read',
    summary: 'Get the load of the server over time',
    description:
      'An addition of this server. Requires an admin key for all projects; others get 403. Counted by this server since it started, for at most a day, and lost when it ends.',
    query: ServiceHistoryRange,
    output: ServiceHistory,
  },
  geolocate: {
    method: 'GET',
    path: '/geolocate',
    effect: 'read',
    open: true,
    summary: 'Get the location of the caller',
    query: z.object({ ip: Identifier.optional().describe('IP address to look up. Absent: the address of the caller') }),
    output: z.object({
      ip: z.string().describe('The address looked up'),
      location: Location.nullable().describe('Null when unknown'),
      allowed: z.boolean().describe('False when the location is not served'),
    }),
  },
  projectsInfo: {
    method: 'POST',
    path: '/service/projects_info',
    effect: 'read',
    summary: 'Get the internal ids of projects',
    body: z.object({ project_ids: listOf(Identifier, 1000).describe('Projects as `entity/project`') }),
    output: z
      .array(
        z.object({
          external_project_id: z.string().describe('Project as `entity/project`'),
          internal_project_id: z.string().describe('Never changes and contains no `/`'),
        }),
      )
      .describe('In the order of the request'),
  },
})
