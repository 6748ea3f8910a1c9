import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type CopiedTable, readDiskSpace } from '@heddle/datastore'
import type { Configuration } from '../settings/configuration.ts'
import { connect, type Connection } from '../connect.ts'
import { baseUrlOf } from '../settings/server-address.ts'
import { openStores } from '../stores/stores.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { backupPath, type CopyLine } from './backup-route.ts'
import { copiesFolder, copyTables } from './copy-tables.ts'

/** Copies that are the caller's to move. */
export interface TableCopies {
  /** Path of a folder with a folder for each table. */
  path: string
  /** Removes the copies that were not moved. */
  remove(): Promise<void>
}

/** Who copies tables: the server that has them open, or this process where none does. */
export interface TableSource {
  /** Copies tables, each with all that was acknowledged before. */
  copy(tables: readonly CopiedTable[], onTable: (table: CopiedTable) => void): Promise<TableCopies>
  close(): Promise<void>
}

/** Asks the running server, or opens the stores when there is none. */
export async function openTableSource(configuration: Configuration): Promise<TableSource> {
  const baseUrl = baseUrlOf(configuration)
  if (await answers(baseUrl)) return serverTables(await connect(configuration), configuration)
  if (configuration.url !== undefined)
    throw new UsageError(`no server responds at ${baseUrl}; to back up the folder of a stopped server, leave out --url and HEDDLE_BASE_URL`)
  return ownTables(configuration, baseUrl)
}

async function answers(baseUrl: string): Promise<boolean> {
  try {
    await (await fetch(`${baseUrl}/health`, { signal: AbortSignal.timeout(10_000) })).body?.cancel()
    return true
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') throw new UsageError(`the server at ${baseUrl} does not respond`)
    return false
  }
}

function serverTables(connection: Connection, { dataDir }: Configuration): TableSource {
  return {
    async copy(tables, onTable) {
      const response = await fetch(`${connection.baseUrl}${backupPath}`, {
        method: 'POST',
        body: JSON.stringify({ tables }),
        headers: { authorization: `Bearer ${connection.apiKey}`, 'content-type': 'application/json' },
      })
      if (!response.ok || response.body === null) throw await refusal(response, connection.baseUrl)
      const lines = readLines(response.body)
      try {
        for (let { value: line } = await lines.next(); line !== undefined; { value: line } = await lines.next()) {
          if (line.error !== undefined) throw new UsageError(`the server failed to copy its tables: ${line.error}`)
          if (line.data_dir !== undefined) await assertSameFolder(line.data_dir, dataDir, connection.baseUrl)
          if (line.table !== undefined) onTable(line.table)
          // The server removes the copies when the response is closed, also by the end of this process.
          if (line.folder !== undefined)
            return copiesAt(join(copiesFolder(dataDir), checkedName(line.folder)), () => lines.return(undefined))
        }
        throw new UsageError(`the server at ${connection.baseUrl} stopped while it was copying its tables; start the backup again`)
      } catch (error) {
        await lines.return(undefined)
        throw error
      }
    },
    close: async () => undefined,
  }
}

async function refusal(response: Response, baseUrl: string): Promise<UsageError> {
  const text = (await response.text()).slice(0, 300)
  if (response.status === 401)
    return new UsageError(
      `the server at ${baseUrl} rejected the API key; set HEDDLE_API_KEY, or point --data-dir at the data folder of this server`,
    )
  return new UsageError(`the server at ${baseUrl} rejected the backup (status ${response.status}): ${text}`)
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<CopyLine, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of body) {
    rest += decoder.decode(part, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
  return undefined
}

function copiesAt(path: string, release?: () => Promise<unknown>): TableCopies {
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true })
      await release?.()
    },
  }
}

async function assertSameFolder(served: string, dataDir: string, baseUrl: string): Promise<void> {
  const own = await realpath(dataDir).catch(() => dataDir)
  if (served === own) return
  throw new UsageError(
    `the server at ${baseUrl} uses data folder ${served}, not ${own}; set --url to the right server, or --data-dir to its folder`,
  )
}

function checkedName(folder: string): string {
  if (/^[0-9a-f-]{36}$/.test(folder)) return folder
  throw new UsageError(`the server returned an invalid folder name ${JSON.stringify(folder.slice(0, 80))}`)
}

async function ownTables(configuration: Configuration, baseUrl: string): Promise<TableSource> {
  const { dataDir } = configuration
  const refused: string[] = []
  const damaged: string[] = []
  const stores = await openStores({
    configuration,
    purpose: 'heddle backup',
    onEngineRestart: () => undefined,
    onEngineSocketReopened: () => undefined,
    onRefusedRows: ({ path }) => void refused.push(path),
    // A backup compares its row counts with the tables; missing rows are reported at each start and by the doctor.
    onTableDamage: () => undefined,
    onDamage: () => undefined,
    onPartlyExamined: () => undefined,
    onJournalDamage: ({ folder }) => void damaged.push(folder),
  }).catch((error: unknown) => {
    if (!(error instanceof Error) || error.name !== 'StoreError') throw error
    throw new UsageError(
      `no server responds at ${baseUrl}, and the stores cannot be opened: ${error.message} (set --url if the server runs elsewhere)`,
    )
  })
  return {
    async copy(tables, onTable) {
      const copy = await copyTables({ analytical: stores.analytical, dataDir, tables, onTable, readRoom: readDiskSpace })
      if (refused.length > 0)
        throw new UsageError(
          `acknowledged rows were rejected by their table and would be missing from the backup; keep their file and report it: ${refused[0]}`,
        )
      if (damaged.length > 0)
        throw new UsageError(
          `a journal is damaged, and its files were moved to ${damaged[0]}; run \`heddle doctor\` to see what is missing, then start the backup again to continue without it`,
        )
      return copiesAt(join(copiesFolder(dataDir), copy))
    },
    close: () => stores.close(),
  }
}
