import type { Handlers, tracing } from '@heddle/core-api'
import { forbidden, notFound } from '@heddle/core-api/internal'
import { isOperator } from '@heddle/identity'
import type { TracingContext } from '../../context.ts'
import type { ServiceConfiguration } from './service-configuration.ts'
import type { ServiceHistory } from './service-history.ts'
import type { ServiceStorage } from './service-storage.ts'
import type { ServiceStats } from './service-stats.ts'

export interface ServiceInfo {
  /** Version of this service. */
  version: string
  /** Lowest version of the Python client that this service works with. */
  minPythonClientVersion: string
  /** The Python client reads this as the version of the interface. */
  traceServerVersion: string
}

interface ServiceDeps {
  info: ServiceInfo
  readStats: () => Promise<ServiceStats>
  readConfiguration: () => ServiceConfiguration
  readStorage: () => Promise<ServiceStorage>
  readHistory: ServiceHistory['read']
}

/** Operations about the service itself. */
export function serviceHandlers({
  info,
  readStats,
  readConfiguration,
  readStorage,
  readHistory,
}: ServiceDeps): Handlers<(typeof tracing)['service'], TracingContext> {
  return {
    async health() {
      return { status: 'ok' }
    },
    async version() {
      return { version: info.version }
    },
    async serverInfo() {
      return { min_required_weave_python_version: info.minPythonClientVersion, trace_server_version: info.traceServerVersion }
    },
    async stats(_input, { caller }) {
      if (!isOperator(caller.access)) throw forbidden('stats require an admin key for all projects')
      return readStats()
    },
    async configuration(_input, { caller }) {
      if (!isOperator(caller.access)) throw forbidden('the configuration requires an admin key for all projects')
      return readConfiguration()
    },
    async storage(_input, { caller }) {
      if (!isOperator(caller.access)) throw forbidden('the storage requires an admin key for all projects')
      return readStorage()
    },
    async history(range, { caller }) {
      if (!isOperator(caller.access)) throw forbidden('the history requires an admin key for all projects')
      return readHistory(range)
    },
    async geolocate({ ip }, { address }) {
      return { ip: ip ?? address, location: null, allowed: true }
    },
    async projectsInfo({ project_ids }, context) {
      return Promise.all(project_ids.map((id) => projectInfo(id, context)))
    },
  }
}

async function projectInfo(id: string, context: TracingContext) {
  const project = await context.open(id)
  if (project.internalId === '') throw notFound(`Project ${JSON.stringify(id)} not found: a project is created by the first write to it`)
  return { external_project_id: id, internal_project_id: project.internalId }
}
