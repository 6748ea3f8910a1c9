import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface RayJob {
  submission_id: string
  status: 'PENDING' | 'RUNNING' | 'STOPPED' | 'SUCCEEDED' | 'FAILED'
  entrypoint: string
  message: string
  metadata: Record<string, string> | null
  runtime_env: object
  driver_agent_http_address: string | null
}

export interface RayHead {
  url: string
  jobs: Map<string, RayJob>
  /** Methods and paths of all requests, in order. */
  requests: string[]
  /** Bodies of all submissions. */
  submitted: Record<string, unknown>[]
  /** Called for each request; a status that is returned is answered instead of the work, 0 closes the connection, and `lost` does the work first. */
  fault: ((request: string) => number | 'lost' | undefined) | null
  /** Lets jobs begin by themselves, on the machine of this agent. */
  agent: string | null
  /** Whether a job ends immediately when it is stopped. */
  endsAtOnce: boolean
  run(id: string, agent?: string): void
  end(id: string, status: 'STOPPED' | 'FAILED' | 'SUCCEEDED', message: string): void
  close(): Promise<void>
}

/** Answers as the Ray Jobs API of Ray 2.60 does: some answers were recorded from a real head, the others written from its reference. Nothing is run. */
export async function startRayHead(): Promise<RayHead> {
  const head: Omit<RayHead, 'url' | 'close'> = {
    jobs: new Map(),
    requests: [],
    submitted: [],
    fault: null,
    agent: null,
    endsAtOnce: true,
    run(id, agent = 'http://127.0.0.1:52365') {
      Object.assign(head.jobs.get(id)!, { status: 'RUNNING', message: 'Job is currently running.', driver_agent_http_address: agent })
    },
    end: (id, status, message) => void Object.assign(head.jobs.get(id)!, { status, message }),
  }

  function submit(body: Record<string, unknown>): [number, unknown] {
    head.submitted.push(body)
    if (typeof body['entrypoint'] !== 'string')
      return [
        400,
        "Traceback (most recent call last):\nTypeError: JobSubmitRequest.__init__() missing 1 required positional argument: 'entrypoint'",
      ]
    const id = String(body['submission_id'])
    if (head.jobs.has(id))
      return [500, traceback(`ValueError: Job with submission_id ${id} already exists. Please use a different submission_id.`)]
    head.jobs.set(id, {
      submission_id: id,
      status: 'PENDING',
      entrypoint: body['entrypoint'],
      message: 'Job has not started yet. It may be waiting for resources (CPUs, GPUs, memory, custom resources) to become available.',
      metadata: (body['metadata'] as Record<string, string> | undefined) ?? null,
      runtime_env: body['runtime_env'] as object,
      driver_agent_http_address: null,
    })
    if (head.agent !== null) head.run(id, head.agent)
    return [200, { job_id: id, submission_id: id }]
  }

  function answer(method: string, path: string, body: Record<string, unknown>): [number, unknown] {
    const [, id, action] = /^\/api\/jobs\/(?:([^/]+)(?:\/(\w+))?)?$/.exec(path) ?? []
    // A driver that was started by hand is in the list as well.
    if (id === undefined)
      return method === 'POST'
        ? submit(body)
        : [200, [{ type: 'DRIVER', job_id: '01000000', submission_id: null, status: 'RUNNING' }, ...[...head.jobs.values()].map(details)]]
    const job = head.jobs.get(id)
    if (!job) return [404, `Job ${id} does not exist`]
    const isOver = job.status !== 'PENDING' && job.status !== 'RUNNING'
    if (method === 'GET') return [200, details(job)]
    if (action === 'stop') {
      // A job that waits for resources continues to wait.
      if (job.status === 'RUNNING' && head.endsAtOnce) head.end(id, 'STOPPED', 'Job was intentionally stopped.')
      return [200, { stopped: !isOver }]
    }
    if (!isOver) return [500, traceback(`RuntimeError: Attempted to delete job '${id}', but it is in a non-terminal state ${job.status}.`)]
    head.jobs.delete(id)
    return [200, { deleted: true }]
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!
    const name = `${request.method} ${path}`
    head.requests.push(name)
    const body = await text(request)
    const fault = head.fault?.(name)
    if (fault === 0) return void request.socket.destroy()
    const [status, value] =
      typeof fault === 'number' ? [fault, 'Traceback: a fault'] : answer(request.method!, path, body === '' ? {} : JSON.parse(body))
    if (fault === 'lost') return void request.socket.destroy()
    const isText = typeof value === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8' })
    response.end(isText ? value : JSON.stringify(value))
  }

  const server = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return Object.assign(head, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

const traceback = (last: string) => `Traceback (most recent call last):\n  File "job_head.py", line 419, in submit_job\n${last}\n.\n`

function details(job: RayJob): object {
  return {
    type: 'SUBMISSION',
    job_id: null,
    driver_info: null,
    error_type: null,
    start_time: 1_795_468_993_174,
    end_time: null,
    driver_node_id: null,
    driver_exit_code: null,
    ...job,
  }
}
