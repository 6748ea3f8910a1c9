import type { Outgoing } from '@heddle/outgoing'
import type { ClusterJobs } from './cluster-jobs.ts'
import { createClusterApi } from './cluster-api.ts'
import type { EngineLauncher } from './engine-launcher.ts'
import { createJobLauncher } from './job-launcher.ts'
import { createKubernetesJobs } from './kubernetes-jobs.ts'
import type { KubernetesCluster, LauncherSettings, RayCluster } from './launcher-file.ts'
import { createRayJobs } from './ray-jobs.ts'
import { ownNamespace, readOptionalFile } from './service-account.ts'

export interface LauncherDeps {
  settings: Pick<LauncherSettings, 'name' | 'cluster' | 'server' | 'digest'>
  /** A client that may send requests to the cluster. */
  outgoing: Outgoing
  /** Token of the cluster's API; null sends none, or that of the service account. */
  token: string | null
}

/** The launcher for the cluster that the settings name. */
export function createLauncher(deps: LauncherDeps): EngineLauncher {
  const { name, cluster, digest } = deps.settings
  const jobs = cluster.kind === 'ray' ? rayJobs(cluster, deps) : kubernetesJobs(cluster, deps)
  return createJobLauncher({ jobs, name, settings: digest })
}

function rayJobs({ url, resources }: RayCluster, { settings: { name, server }, outgoing, token }: LauncherDeps): ClusterJobs {
  const place = `Ray at ${url}`
  const send = createClusterApi({ outgoing, url, place, readToken: async () => token })
  return createRayJobs({ send, place, name, server, resources })
}

function kubernetesJobs(cluster: KubernetesCluster, { settings: { name, server }, outgoing, token }: LauncherDeps): ClusterJobs {
  const { url, tokenFile, authorityFile, image, pod, container } = cluster
  const place = `Kubernetes at ${url}`
  const send = createClusterApi({
    outgoing,
    url,
    place,
    readToken: async () => token ?? (await readOptionalFile(tokenFile)),
    readAuthority: () => readOptionalFile(authorityFile),
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
