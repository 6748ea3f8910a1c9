import type { Outgoing } from '@heddle/outgoing'
import { createClusterApi } from './cluster-api.ts'
import type { EngineLauncher } from './engine-launcher.ts'
import { createJobLauncher } from './job-launcher.ts'
import type { LauncherSettings } from './launcher-file.ts'
import { createRayJobs } from './ray-jobs.ts'

export interface LauncherDeps {
  settings: Pick<LauncherSettings, 'name' | 'cluster' | 'server' | 'digest'>
  /** A client that may send requests to the cluster. */
  outgoing: Outgoing
  /** Of the API of the cluster; null sends none. */
  token: string | null
}

/** The launcher for the cluster that the settings name. */
export function createLauncher({ settings, outgoing, token }: LauncherDeps): EngineLauncher {
  const { name, cluster, server, digest } = settings
  const place = `Ray at ${cluster.url}`
  const send = createClusterApi({ outgoing, url: cluster.url, place, readToken: async () => token })
  const jobs = createRayJobs({ send, place, name, server, resources: cluster.resources })
  return createJobLauncher({ jobs, name, settings: digest })
}
