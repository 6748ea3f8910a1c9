// Runs a group whose attempts use both copies of the package, a thread, a process and a service, and prints it.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { continueAttempt, createAgent } from './agent.mjs'

const [esm, commonJs] = process.argv.slice(2)
const modules = await import(esm)
const required = createRequire(import.meta.url)(commonJs)
const { agent } = createAgent(modules)
const other = createAgent(required)

const service = createServer(async (request, response) => {
  response.end(await continueAttempt(required, request.headers, 'service'))
})
await once(service.listen(0, '127.0.0.1'), 'listening')

async function inThread(carrier) {
  const worker = new Worker(new URL('thread.mjs', import.meta.url), { workerData: { esm, carrier } })
  const [text] = await once(worker, 'message')
  return text
}

async function inProcess(carrier) {
  const child = fork(new URL('child.mjs', import.meta.url), [commonJs, JSON.stringify(carrier)])
  const [text] = await once(child, 'message')
  return text
}

async function inService(carrier) {
  const response = await fetch(`http://127.0.0.1:${service.address().port}`, { headers: carrier })
  return response.text()
}

const group = await agent.group({ attempts: 2 }).run(async (trajectory) => {
  const carrier = trajectory.toCarrier()
  const parts = Promise.all([inThread(carrier), inProcess(carrier), inService(carrier)])
  if (required.activeTrajectory().id !== trajectory.id) throw new Error('the other copy sees another trajectory')
  await other.ask(`copy of ${trajectory.attemptIndex}`)
  for (const part of await parts) for (const _ of ['once', 'again']) trajectory.join(part)
  trajectory.reward(trajectory.attemptIndex)
})
service.close()
process.stdout.write(JSON.stringify(group))
