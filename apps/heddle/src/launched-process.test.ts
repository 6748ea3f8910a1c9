import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { freePort } from '@heddle/testing/free-port'
import { expect, inject, onTestFinished, test } from 'vitest'
import { type RunningCommand, startCommand } from './testing/run-command.ts'

const isLinux = process.platform === 'linux'
const apiKey = 'a-key-of-the-launched-process-with-fifty-characters'
/** A program that answers as a training server that is well, and says which process it is. */
const standIn = `require('node:http').createServer(({ url }, response) => response.end(url === '/pid' ? String(process.pid) : '{}')).listen(process.argv[1], '127.0.0.1')`

async function aLauncher(command: (port: number, folder: string) => string) {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-launched-process-'))
  const port = await freePort()
  const file = join(folder, 'launcher.json')
  writeFileSync(file, JSON.stringify({ kind: 'process', port, command: command(port, folder) }))
  let heddle: RunningCommand | null = null
  onTestFinished(async () => {
    heddle?.child.kill('SIGTERM')
    await heddle?.ended
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  })
  const pid = async () => Number(await (await fetch(`http://127.0.0.1:${port}/pid`)).text())
  return {
    pid,
    address: `http://127.0.0.1:${port}`,
    async start() {
      const environment = {
        HEDDLE_DATA_DIR: join(folder, 'data'),
        HEDDLE_API_KEY: apiKey,
        HEDDLE_TRAINING_LAUNCHER_FILE: file,
        HEDDLE_LOG_LEVEL: 'info',
      }
      heddle = startCommand(['serve', '--port', '0', '--only', 'training'], environment)
      await heddle.said('is ready at')
      while (!heddle.note().includes('the training server responds')) await pause(20)
      return heddle
    },
  }
}

const clientOf = (heddle: RunningCommand) =>
  createClient({ baseUrl: /http:\/\/127\.0\.0\.1:\d+/.exec(heddle.out())?.[0] ?? '', apiKey, contract: training, retries: 4 })

test.runIf(isLinux)(
  'a training server of this machine outlives a kill of Heddle, whose next start adopts it, and ends with Heddle',
  async () => {
    const { start, pid, address } = await aLauncher((port) => `exec '${process.execPath}' -e "${standIn}" ${port}`)
    const killed = await start()
    const first = await pid()
    killed.child.kill('SIGKILL')
    await killed.ended

    const after = await start()
    expect(after.note()).toContain('found the training server running')
    expect(await pid()).toBe(first)
    expect(await clientOf(after).health.check()).toMatchObject({ status: 'ok' })

    after.child.kill('SIGTERM')
    expect(await after.ended).toBe(0)
    await expect(fetch(address)).rejects.toThrow('fetch failed')
  },
)

const dyingServers = isLinux && inject('long') ? ['dying-server.ts'] : []
test.each(dyingServers)(
  'a job whose training server is killed between two steps continues at the next one: %s',
  { timeout: 600_000 },
  async (name) => {
    const program = fileURLToPath(import.meta.resolve(`../../training/src/engine/tinker/testing/${name}`))
    // Three optimizer steps before the first one of a job measure how the server adds up.
    const secondStep = 3 + 2
    const { start } = await aLauncher((port, folder) => {
      const saved = join(folder, 'saved')
      mkdirSync(saved)
      return `exec '${process.execPath}' --import tsx '${program}' ${port} '${saved}' ${secondStep}`
    })
    const heddle = await start()
    const client = clientOf(heddle)
    const { id: model_id } = await client.models.create({ project: 'launched', name: 'agent', base_model: 'heddle-nano' })
    const trajectory_groups = Array.from({ length: 8 }, (_, group) => ({
      trajectories: [1, 0].map((reward) => ({
        reward,
        messages_and_choices: [
          { role: 'user', content: `say ${group}` },
          { role: 'assistant', content: `${reward}${'ab'.repeat(30)}` },
        ],
      })),
    }))
    const experimental_config = {
      allow_training_without_logprobs: true,
      packed_sequence_length: 64,
      logprob_calculation_chunk_size: 64,
      seed: 1,
    }
    const { id } = await client.trainingJobs.create({ model_id, trajectory_groups, experimental_config })
    const isDone = (status: string) => status === 'succeeded' || status === 'failed'
    let job = await client.trainingJobs.read({ job_id: id })
    while (!isDone(job.status)) {
      await pause(500)
      job = await client.trainingJobs.read({ job_id: id })
    }
    expect(job).toMatchObject({ status: 'succeeded', step: 1 })
    expect(heddle.note()).toContain('the process ended with exit code 137')
  },
)
