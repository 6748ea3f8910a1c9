import { readDiskSpace } from '@heddle/datastore'
import type { ServerFacts } from '@heddle/tracing'
import type { Configuration } from '../settings/configuration.ts'
import { runsModels } from '../settings/runs-models.ts'
import { usesDataFolder } from '../stores/data-folder.ts'
import type { ExternalServices } from './external-services.ts'
import { createReadStorage } from './read-storage.ts'

/** What operators see of the stores, and of where the server may send requests. */
export function serverFacts(configuration: Configuration, { serviceHosts }: Pick<ExternalServices, 'serviceHosts'>): ServerFacts {
  const { clickhouseUrl, databaseUrl, blobsUrl, dataDir, trainingBlasFile: trainingLibrary } = configuration
  return {
    store: {
      calls: clickhouseUrl === undefined ? 'embedded' : 'clickhouse',
      records: databaseUrl === undefined ? 'sqlite' : 'postgres',
      files: blobsUrl === undefined ? 'folder' : 's3',
    },
    outgoing: { allowed_hosts: [...configuration.allowedHosts], service_hosts: [...serviceHosts] },
    ...(trainingLibrary !== undefined && runsModels(configuration) && { trainingLibrary }),
    readStorage: createReadStorage(dataDir),
    readDisk: async () => (usesDataFolder(configuration) ? readDiskSpace(dataDir) : null),
  }
}
