import { spawn } from 'node:child_process'

/** A server that lists its tools without a network. */
export interface Candidate {
  name: string
  /** Arguments of node. */
  args: readonly string[]
}

/** What a client sees of a server when it starts. */
export interface Listing {
  /** Milliseconds from the start of the process to its list of tools. */
  listMs: number
  tools: number
  characters: number
  /** Shares of tools. */
  withOutputSchema: number
  withAnnotations: number
  /** Share of arguments that say what they are: a description or a list of values. */
  describedArguments: number
}

interface Tool {
  inputSchema: { properties?: Record<string, { description?: string; enum?: unknown[] }> }
  outputSchema?: object
  annotations?: object
}

const timeoutMs = 30_000

/** Starts a server, and reads its tools as a client of the revision 2025-06-18 does. */
export function measureListing({ name, args }: Candidate): Promise<Listing> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], HEDDLE_API_KEY: 'key' },
  })
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  return new Promise<Listing>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${name} did not list its tools within ${timeoutMs} ms`)), timeoutMs)
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (text + chunk).split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) {
        const message = JSON.parse(line) as { id?: number; result?: { tools: Tool[] } }
        if (message.id === 1) {
          send({ method: 'notifications/initialized' })
          send({ id: 2, method: 'tools/list', params: {} })
        }
        if (message.id === 2 && message.result) {
          clearTimeout(timer)
          resolve(describe(message.result.tools, performance.now() - startedAt))
        }
      }
    })
    child.once('error', reject)
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'benchmark', version: '1' } },
    })
  }).finally(() => child.kill('SIGKILL'))
}

function describe(tools: readonly Tool[], listMs: number): Listing {
  const share = (count: number, of: number) => (of === 0 ? 1 : count / of)
  const listed = tools.flatMap(({ inputSchema }) => Object.values(inputSchema.properties ?? {}))
  return {
    listMs,
    tools: tools.length,
    characters: JSON.stringify(tools).length,
    withOutputSchema: share(tools.filter(({ outputSchema }) => outputSchema).length, tools.length),
    withAnnotations: share(tools.filter(({ annotations }) => annotations).length, tools.length),
    describedArguments: share(listed.filter((one) => one.description || one.enum).length, listed.length),
  }
}
