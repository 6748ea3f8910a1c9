import { spawn } from 'node:child_process'

/** A server that lists its tools without a network. */
export interface Candidate {
  name: string
  /** Arguments of node. */
  args: readonly string[]
  /** A tool that works on this machine; undefined if there is none. */
  call?: { name: string; arguments: object }
}

/** What a client sees of a server when it starts. */
export interface Listing {
  /** Milliseconds from the start of the process to its list of tools. */
  listMs: number
  /** Milliseconds from the start of the process to the answer of a tool; undefined where none was called. */
  answerMs: number | undefined
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

interface Answer {
  id?: number
  error?: { message: string }
  result?: { tools?: Tool[]; isError?: boolean }
}

/** Starts a server, reads its tools as a client of the revision 2025-06-18 does, and calls one. Its service is at `serviceUrl`. */
export function measureListing({ name, args, call }: Candidate, serviceUrl: string): Promise<Listing> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], HEDDLE_API_KEY: 'key', HEDDLE_BASE_URL: serviceUrl, HEDDLE_PROJECT: 'bench/mcp' },
  })
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  return new Promise<Listing>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${name} did not answer within ${timeoutMs} ms`)), timeoutMs)
    let text = ''
    let listing: Listing | undefined
    const finish = (found: Listing) => {
      clearTimeout(timer)
      resolve(found)
    }
    const receive = ({ id, error, result }: Answer) => {
      if (error) return reject(new Error(`${name} refused: ${error.message}`))
      if (id === 1) {
        send({ method: 'notifications/initialized' })
        send({ id: 2, method: 'tools/list', params: {} })
      }
      if (id === 2 && result?.tools) {
        listing = describe(result.tools, performance.now() - startedAt)
        if (call) send({ id: 3, method: 'tools/call', params: call })
        else finish(listing)
      }
      if (id !== 3 || !listing) return
      if (result?.isError) reject(new Error(`${name}: ${JSON.stringify(result).slice(0, 300)}`))
      finish({ ...listing, answerMs: performance.now() - startedAt })
    }
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (text + chunk).split('\n')
      text = lines.pop() ?? ''
      for (const line of lines) receive(JSON.parse(line) as Answer)
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
    answerMs: undefined,
    tools: tools.length,
    characters: JSON.stringify(tools).length,
    withOutputSchema: share(tools.filter(({ outputSchema }) => outputSchema).length, tools.length),
    withAnnotations: share(tools.filter(({ annotations }) => annotations).length, tools.length),
    describedArguments: share(listed.filter((one) => one.description || one.enum).length, listed.length),
  }
}
