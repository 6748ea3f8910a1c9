import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { badRequest, conflict, forbidden } from '@heddle/core-api/internal'
import { type Analytical, copiedTables, type CopiedTable, type DiskSpace } from '@heddle/datastore'
import { type Caller, isOperator } from '@heddle/identity'
import { copiesFolder, copyTables } from './copy-tables.ts'
import { messageOf } from '../terminal/message-of.ts'

/** A line of the JSON Lines response of a server that copies tables. One has `folder` or `error`; after `folder` it stays open until the client closes it. */
export interface CopyLine {
  /** The data folder of the server. In the first line. */
  data_dir?: string
  /** The table that is being copied. */
  table?: CopiedTable
  /** Name of the folder, among the copies of the data folder, that has all of them, until the client closes the response. */
  folder?: string
  /** Why there are none. */
  error?: string
}

export interface BackupRouteDeps {
  analytical: Analytical
  dataDir: string
  readRoom: (folder: string) => Promise<DiskSpace>
}

/** Route by which a backup requests a copy of a running server's tables. */
export const backupPath = '/service/backup'
/** Interval of keep-alive lines, so that idle connections are not dropped. */
const keepAliveMs = 1_000

/** Lets an operator on the server's machine copy tables while the server runs. One copy at a time. */
export function backupRoute(deps: BackupRouteDeps) {
  let isBusy = false
  async function handle(request: Request, caller: Caller): Promise<Response> {
    if (!isOperator(caller.access)) throw forbidden('a backup requires an admin key for all projects')
    const tables = parseTables(await request.text())
    if (isBusy) throw conflict('another backup is copying tables; retry when it has finished')
    isBusy = true
    const lines = copyLines(deps, tables, () => {
      isBusy = false
    })
    return new Response(lines, { headers: { 'content-type': 'application/jsonl' } })
  }
  return { name: 'service.backup', method: 'POST' as const, path: backupPath, handle }
}

function parseTables(text: string): CopiedTable[] {
  const body: unknown = parseJson(text)
  const names: unknown = typeof body === 'object' && body !== null && 'tables' in body ? body.tables : undefined
  if (!Array.isArray(names) || names.length === 0) throw badRequest('"tables" must be a non-empty list of table names')
  return names.map((name: unknown) => {
    const table = copiedTables.find((known) => known === name)
    if (table === undefined) throw badRequest(`unknown table ${JSON.stringify(name)}; expected one of ${copiedTables.join(', ')}`)
    return table
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('request body is not valid JSON')
  }
}

function copyLines(
  { analytical, dataDir, readRoom }: BackupRouteDeps,
  tables: CopiedTable[],
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isCancelled = false
  /** What was copied, until the client has closed the response: then it has moved the copies, or will never do so. */
  let copies: string | undefined
  const remove = (folder: string) => rm(join(copiesFolder(dataDir), folder), { recursive: true, force: true })
  let keepAlive: NodeJS.Timeout | undefined
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (line: CopyLine) => void (isCancelled || controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`)))
      keepAlive = setInterval(() => send({}), keepAliveMs)
      const work = async () => {
        send({ data_dir: await realpath(dataDir) })
        const folder = await copyTables({ analytical, dataDir, tables, readRoom, onTable: (table) => send({ table }) })
        if (isCancelled) return remove(folder)
        copies = folder
        send({ folder })
      }
      void work()
        .catch((error: unknown) => {
          clearInterval(keepAlive)
          send({ error: messageOf(error) })
          if (!isCancelled) controller.close()
        })
        .finally(onEnd)
    },
    async cancel() {
      isCancelled = true
      clearInterval(keepAlive)
      if (copies !== undefined) await remove(copies)
    },
  })
}
