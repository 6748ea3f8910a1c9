import type { Agent } from 'node:http'
import { request } from 'node:http'
import { createInterface } from 'node:readline'
import type { Target } from '../load/load-plan.ts'

interface StreamedCall {
  parent_id: string
  inputs: { example: unknown }
  output: { scores: Record<string, unknown> }
}

/** What a client does that has no query of results: it streams the predict-and-score calls, groups them and adds up their scores. Milliseconds. */
export async function computeLocally(agent: Agent, target: Target, evaluations: readonly string[]): Promise<{ ms: number; calls: number }> {
  const startMs = performance.now()
  const rows = new Map<string, number>()
  const sums = new Map<string, { count: number; sum: number }>()
  let calls = 0
  const filter = { parent_ids: evaluations }
  for await (const line of await stream(agent, target, {
    project_id: target.project,
    filter,
    columns: ['parent_id', 'inputs', 'output'],
  })) {
    const { parent_id, inputs, output } = JSON.parse(line) as StreamedCall
    const row = JSON.stringify(inputs.example)
    rows.set(row, (rows.get(row) ?? 0) + 1)
    addLeaves(sums, parent_id, output.scores)
    calls++
  }
  const page = [...rows.keys()].sort().slice(0, 50)
  if (page.length === 0) throw new Error('no calls were streamed')
  return { ms: performance.now() - startMs, calls }
}

function addLeaves(sums: Map<string, { count: number; sum: number }>, path: string, value: unknown): void {
  if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) addLeaves(sums, `${path}.${key}`, member)
  } else if (typeof value === 'number' || typeof value === 'boolean') {
    const known = sums.get(path) ?? { count: 0, sum: 0 }
    known.count++
    known.sum += Number(value)
    sums.set(path, known)
  }
}

function stream(agent: Agent, target: Target, body: object): Promise<AsyncIterable<string>> {
  const authorization = `Basic ${Buffer.from(`api:${target.apiKey}`).toString('base64')}`
  return new Promise((resolve, reject) => {
    const sent = request(
      `${target.url}/calls/stream_query`,
      { method: 'POST', agent, headers: { authorization, 'content-type': 'application/json' } },
      (response) => {
        if (response.statusCode === 200) resolve(createInterface({ input: response }))
        else reject(new Error(`/calls/stream_query answered ${response.statusCode}`))
      },
    )
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}
