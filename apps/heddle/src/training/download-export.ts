import { mkdir, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { unpackExport } from '@heddle/training'
import type { Connection } from '../connect.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { messageOf } from '../terminal/message-of.ts'

type ExportRequest = Parameters<ReturnType<typeof createExportClient>['checkpoints']['export']>[0]

/** Until the first bytes: the server brings the files of the checkpoint first. */
const firstBytesMs = 600_000

/** Writes an export into a new folder, while it arrives. @throws UsageError when the folder is there */
export async function downloadExport(
  connection: Connection,
  request: ExportRequest,
  folder: string,
): Promise<{ bytes: number; files: string[] }> {
  await mkdir(folder).catch((error: unknown) => {
    throw new UsageError(`cannot write ${folder}: ${messageOf(error)}`)
  })
  try {
    return await unpackExport(await openBody(connection, request), folder)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** The client reads a response as a whole, and weights may be larger than memory: it gets the head, and the body is taken here. */
async function openBody(connection: Connection, request: ExportRequest): Promise<Readable> {
  let body: Readable | undefined
  const client = createExportClient(connection, async (input, init) => {
    const response = await fetch(input, init)
    if (!response.ok || !response.body) return response
    body = Readable.fromWeb(response.body as ReadableStream)
    return new Response(null, { headers: response.headers })
  })
  await client.checkpoints.export(request, { timeoutMs: firstBytesMs })
  return body ?? Readable.from([])
}

const createExportClient = ({ baseUrl, apiKey }: Pick<Connection, 'baseUrl' | 'apiKey'>, send: typeof fetch) =>
  createClient({ baseUrl, apiKey, contract: training, retries: 1, fetch: send })
