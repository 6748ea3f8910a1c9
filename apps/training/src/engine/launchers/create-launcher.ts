import { userInfo } from 'node:os'
import type { Outgoing } from '@heddle/outgoing'
import type { ClusterJobs } from './cluster-jobs.ts'
import { createClusterApi } from './cluster-api.ts'
import type { EngineLauncher } from './engine-launcher.ts'
import { createJobLauncher } from './job-launcher.ts'
import { createKubernetesJobs } from './kubernetes-jobs.ts'
import type { KubernetesCluster, LauncherSettings, RayCluster, SlurmCluster } from './launcher-file.ts'
import { type Machine, createProcessJobs } from './process-jobs.ts'
import { createRayJobs } from './ray-jobs.ts'
import { ownNamespace, readMountedFile } from './service-account.ts'
import { createSlurmJobs } from './slurm-jobs.ts'

export interface LauncherDeps {
  settings: Pick<LauncherSettings, 'name' | 'cluster' | 'server' | 'digest'>
  /** A client that may send requests to the cluster at an address. */
  outgoingTo(url: string): Outgoing
  /** Token of the cluster's API; null sends none, or that of the service account. */
  token: string | null
  /** For servers of this machine, and for commands that run here. */
  machine: Machine
}

/** The launcher for the cluster, or this machine, that the settings name. */
export function createLauncher(deps: LauncherDeps): EngineLauncher {
  const { name, digest } = deps.settings
  return createJobLauncher({ jobs: jobsOf(deps), name, settings: digest })
}

function jobsOf(deps: LauncherDeps): ClusterJobs {
  const { cluster, name, server } = deps.settings
  if (cluster.kind === 'process') return createProcessJobs({ machine: deps.machine, name, server })
  if (cluster.kind === 'slurm') return slurmJobs(cluster, deps)
  return cluster.kind === 'ray' ? rayJobs(cluster, deps) : kubernetesJobs(cluster, deps)
}

function rayJobs({ url, resources }: RayCluster, { settings: { name, server }, outgoingTo, token }: LauncherDeps): ClusterJobs {
  const place = `Ray at ${url}`
  const send = createClusterApi({ outgoing: outgoingTo(url), url, place, readToken: async () => token })
  return createRayJobs({ send, place, name, server, resources })
}

function kubernetesJobs(cluster: KubernetesCluster, { settings: { name, server }, outgoingTo, token }: LauncherDeps): ClusterJobs {
  const { url, tokenFile, authorityFile, image, pod, container } = cluster
  const place = `Kubernetes at ${url}`
  const send = createClusterApi({
    outgoing: outgoingTo(url),
    url,
    place,
    readToken: async () => token ?? (await readMountedFile(tokenFile)),
    readAuthority: () => readMountedFile(authorityFile),
  })
  return createKubernetesJobs({
    send,
    place,
    namespace: cluster.namespace ?? ownNamespace() ?? 'default',
    name,
    server,
    image,
    pod,
    container,
  })
}

function slurmJobs({ folder, options }: SlurmCluster, { settings: { name, server }, machine }: LauncherDeps): ClusterJobs {
  return createSlurmJobs({ environment: machine.environment, user: userInfo().username, name, server, folder, options })
}
