import { appendFileSync, mkdtempSync, readFileSync, truncateSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { readSqlite } from '@heddle/datastore/testing'
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { copyFolder, flip, remove } from '../../testing/damage/change-files.ts'
import { expectExamined, expectReadyWithDamage, serve, statusOf } from '../../testing/damage/examine-case.ts'

const apiKey = 'the-key-of-trainings-that-are-damaged'
const recording = { 'x-heddle-trajectory-id': 't', 'x-heddle-group-id': 'g' }
const trajectory_groups = [
  {
    trajectories: [1, 0].map((reward) => ({
      reward,
      messages_and_choices: [
        { role: 'user', content: 'say a' },
        { role: 'assistant', content: `${reward}ab` },
      ],
    })),
  },
]
const experimental_config = { allow_training_without_logprobs: true, packed_sequence_length: 64, logprob_calculation_chunk_size: 64 }

let folders: string
/** A data folder with a model that was trained once, whose server was killed. */
let killed: string
let modelId: string
let jobId: string

const environmentOf = (dataDir: string) => ({ HEDDLE_DATA_DIR: dataDir, HEDDLE_API_KEY: apiKey, HEDDLE_PORT: '0', HEDDLE_ONLY: 'training' })
const clientOf = (baseUrl: string) => createClient({ baseUrl, apiKey, contract: training, retries: 0 })

class HttpError extends Error {
  readonly status: number
  constructor(status: number, text: string) {
    super(text)
    this.status = status
  }
}

/** Sends a chat, and is answered by the newest step. */
async function chat(url: string, headers: Record<string, string> = {}): Promise<void> {
  const body = JSON.stringify({ model: modelId, messages: [{ role: 'user', content: 'say a' }], max_tokens: 2 })
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    body,
  })
  if (!answer.ok) throw new HttpError(answer.status, await answer.text())
  await answer.arrayBuffer()
}

beforeAll(async () => {
  folders = mkdtempSync(join(tmpdir(), 'heddle-matrix-'))
  killed = join(folders, 'killed')
  const server = await serve(environmentOf(killed))
  const client = clientOf(server.url)
  modelId = (await client.models.create({ project: 'damaged', name: 'm', base_model: 'heddle-nano' })).id
  jobId = (await client.trainingJobs.create({ model_id: modelId, trajectory_groups, experimental_config })).id
  await vi.waitUntil(async () => (await client.trainingJobs.read({ job_id: jobId })).status === 'succeeded', {
    timeout: 120_000,
    interval: 100,
  })
  await client.trajectories.log({ model_id: modelId, split: 'val', trajectory_groups })
  await chat(server.url, recording)
  await client.recordedTrajectories.finish({ model_id: modelId, trajectory_id: 't', reward: 1 })
  await server.end('SIGKILL')
}, 300_000)
afterAll(() => rm(folders, { recursive: true, force: true }))

/** The file that a holder needs: the largest if there are several. */
function blobOf(dataDir: string, holder: string): string {
  const rows = readSqlite(join(dataDir, 'heddle.db'), (file) =>
    file.prepare('SELECT holder, sha256 FROM blob_references WHERE holder LIKE ?').all(`${holder}%`),
  ) as { sha256: string }[]
  const paths = rows.map(({ sha256 }) => join(dataDir, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256))
  return paths.toSorted((a, b) => readFileSync(b).length - readFileSync(a).length)[0] ?? ''
}

type Read = (server: { url: string; client: ReturnType<typeof clientOf> }) => Promise<unknown>

async function collect(records: AsyncIterable<unknown>): Promise<void> {
  for await (const record of records) void record
}

/** What needs a blob of each kind of holder. */
const contents: Record<string, { holder: string; reads: Record<string, Read> }> = {
  'a checkpoint': {
    holder: 'checkpoint',
    reads: {
      chat: ({ url }) => chat(url),
      archive: ({ client }) => client.checkpoints.archive({ model_id: modelId, step: 1 }),
    },
  },
  'what a job learned from': {
    holder: 'input',
    reads: {
      groups: ({ client }) => client.jobTrajectories.listGroups({ job_id: jobId }),
      trajectories: ({ client }) => client.jobTrajectories.list({ job_id: jobId, group: 0 }),
    },
  },
  'logged trajectories': {
    holder: 'log',
    reads: { list: ({ client }) => client.trajectories.list({ model_id: modelId }) },
  },
  'a recorded call': {
    holder: 'recorded',
    reads: {
      groups: ({ client }) => collect(client.recordedTrajectories.groups({ model_id: modelId })),
      train: ({ client }) => client.recordedTrajectories.train({ model_id: modelId, experimental_config }),
    },
  },
}

const damages: Record<string, { damage: (path: string) => void; doctor: RegExp; isQuick: boolean }> = {
  'has a flipped bit': { damage: (path) => flip(path, 0.9), doctor: /Contents: blob \w+ is damaged/, isQuick: false },
  'is empty': { damage: (path) => truncateSync(path), doctor: /Contents: blob \w+ is damaged/, isQuick: false },
  'is cut off': {
    damage: (path) => truncateSync(path, readFileSync(path).length - 1),
    doctor: /Contents: blob \w+ is damaged/,
    isQuick: false,
  },
  'is longer': {
    damage: (path) => appendFileSync(path, 'x'),
    doctor: /Contents: blob \w+ is damaged/,
    isQuick: false,
  },
  'is gone': { damage: remove, doctor: /Contents: blob \w+ is missing/, isQuick: true },
}

const cases = Object.entries(contents).flatMap(([content, { holder, reads }]) =>
  Object.entries(damages).map(([how, each]) => ({ title: `${content}, which ${how}`, holder, reads, ...each })),
)
/** A flipped bit of a blob is among the damages to traces that every run has. */
const slice = ['what a job learned from, which is gone']

test.each(cases.filter(({ title }) => inject('long') || slice.includes(title)))(
  'doctor and the server report damage to $title, and the server serves everything else',
  async ({ holder, reads, damage, doctor, isQuick }) => {
    const dataDir = copyFolder(killed, folders)
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    const path = blobOf(dataDir, holder)
    damage(path)
    await expectExamined(environmentOf(dataDir), { damage, doctor, isQuick })
    const server = await serve(environmentOf(dataDir))
    const all = { url: server.url, client: clientOf(server.url) }
    for (const [content, each] of Object.entries(contents))
      for (const [name, read] of Object.entries(each.reads))
        expect([content, name, await statusOf(read(all))]).toEqual([content, name, each.reads === reads ? 502 : 200])
    await expectReadyWithDamage(server)
    await server.end('SIGTERM')
    expect(server.log().match(/met damaged data/g)).toHaveLength(1)
  },
  300_000,
)
