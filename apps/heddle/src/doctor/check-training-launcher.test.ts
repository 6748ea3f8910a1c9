import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { checkTrainingLauncher } from './check-training-launcher.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-doctor-launcher-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function check(file: string | undefined, trainingEngineUrl?: string) {
  const path = join(folder, 'launcher.json')
  if (file !== undefined) writeFileSync(path, file)
  const trainingLauncherFile = file === undefined ? undefined : path
  return checkTrainingLauncher({ trainingLauncherFile, trainingEngineUrl, trainingLauncherToken: 'a-token', dataDir: folder })
}

async function aHead(respond: (authorization: string | undefined) => { status: number; body: string }) {
  const server = createServer((request, response) => {
    const { status, body } = respond(request.headers.authorization)
    response.writeHead(status).end(body)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, file: JSON.stringify({ kind: 'ray', url, command: 'serve' }) }
}

test('without a launcher there is nothing to say', async () => {
  expect(await check(undefined)).toEqual([])
})

test('a cluster that answers is named with what runs there, and is asked with the token', async () => {
  const { url, file } = await aHead((authorization) =>
    authorization === 'Bearer a-token' ? { status: 200, body: '[]' } : { status: 401, body: '' },
  )
  expect(await check(file)).toEqual([
    { name: 'Training launcher', state: 'ok', detail: `Ray at ${url} answers; no server "heddle-training" runs there` },
  ])
})

test('this machine is named with the servers that run on it', async () => {
  expect(await check('{"kind": "process", "command": "serve"}')).toEqual([
    { name: 'Training launcher', state: 'ok', detail: 'this machine answers; no server "heddle-training" runs there' },
  ])
})

test('a cluster that refuses, and a file that does not fit, are failures with a way out', async () => {
  const { url, file } = await aHead(() => ({ status: 403, body: 'no' }))
  const way = 'fix the file or the cluster, or unset HEDDLE_TRAINING_LAUNCHER_FILE: see docs/launchers.md'
  expect(await check(file)).toEqual([
    {
      name: 'Training launcher',
      state: 'failure',
      detail: `Ray at ${url} answered GET /api/jobs/ with 403; check HEDDLE_TRAINING_LAUNCHER_TOKEN and what it is allowed to do: no`,
      remedy: way,
    },
  ])
  expect(await check('{"kind": "ray", "url": "http://ray:8265"}')).toMatchObject([
    {
      detail: expect.stringMatching(/^cannot load .*launcher\.json \(HEDDLE_TRAINING_LAUNCHER_FILE\): "command" does not fit: /) as string,
      remedy: way,
    },
  ])
  expect(await check(file, 'http://127.0.0.1:1')).toMatchObject([
    { detail: expect.stringContaining('HEDDLE_TRAINING_ENGINE_URL and HEDDLE_TRAINING_LAUNCHER_FILE exclude each other') as string },
  ])
})
