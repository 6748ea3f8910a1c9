import { realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { badRequest, conflict, forbidden } from '@heddle/core-api'
import { type Analytical, copiedTables, type CopiedTable, type DiskSpace } from '@heddle/datastore'
import { type Caller, isOperator } from '@heddle/identity'
import { copiesFolder, copyTables } from './copy-tables.ts'

/** What a server tells while it copies tables, a line of JSON each. The last line has `folder` or `error`. */
export interface CopyLine {
  /** The data folder of the server. In the first line. */
  data_dir?: string
  /** The table that is being copied. */
  table?: CopiedTable
  /** Name of the folder, among the copies of the data folder, that has all of them. */
  folder?: string
  /** Why there are none. */
  error?: string
}

export interface BackupRouteDeps {
  analytical: Analytical
  dataDir: string
  readRoom: (folder: string) => Promise<DiskSpace>
}

/** Where a running server is asked to copy its tables. */
export const backupPath = '/service/backup'
/** So often a line is sent, if only an empty one, so that nobody takes the connection for dead. */
const beatMs = 1_000

/** Lets an operator, who works on the machine of the server, have tables copied while the server goes on. One at a time. */
export function backupRoute(deps: BackupRouteDeps) {
  let isBusy = false
  async function handle(request: Request, caller: Caller): Promise<Response> {
    if (!isOperator(caller.access)) throw forbidden('a backup needs an admin key for all projects')
    const tables = parseTables(await request.text())
    if (isBusy) throw conflict('another backup is copying tables; try again when it has ended')
    isBusy = true
    const lines = copyLines(deps, tables, () => {
      isBusy = false
    })
    return new Response(lines, { headers: { 'content-type': 'application/jsonl' } })
  }
  return { name: 'service.backup', method: 'POST' as const, path: backupPath, handle }
}

function parseTables(text: string): CopiedTable[] {
  const asked: unknown = parseJson(text)
  const names: unknown = typeof asked === 'object' && asked !== null && 'tables' in asked ? asked.tables : undefined
  if (!Array.isArray(names) || names.length === 0) throw badRequest('"tables" must be a list of names of tables')
  return names.map((name: unknown) => {
    const table = copiedTables.find((known) => known === name)
    if (table === undefined) throw badRequest(`${JSON.stringify(name)} is no table; known are ${copiedTables.join(', ')}`)
    return table
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest('the body is no JSON')
  }
}

function copyLines(
  { analytical, dataDir, readRoom }: BackupRouteDeps,
  tables: CopiedTable[],
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let isLeft = false
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const say = (line: CopyLine) => void (isLeft || controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`)))
      const beat = setInterval(() => say({}), beatMs)
      const work = async () => {
        say({ data_dir: await realpath(dataDir) })
        const folder = await copyTables({ analytical, dataDir, tables, readRoom, onTable: (table) => say({ table }) })
        // Nobody is there any more to take the copies away.
        if (isLeft) await rm(join(copiesFolder(dataDir), folder), { recursive: true, force: true })
        say({ folder })
      }
      void work()
        .catch((error: unknown) => say({ error: error instanceof Error ? error.message : String(error) }))
        .finally(() => {
          clearInterval(beat)
          onEnd()
          if (!isLeft) controller.close()
        })
    },
    cancel() {
      isLeft = true
    },
  })
}
