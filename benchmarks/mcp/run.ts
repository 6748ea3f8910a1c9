import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { build } from 'esbuild'
import { describeMachine } from '../report/machine.ts'
import { percentiles, round } from '../report/percentiles.ts'
import { printTable } from '../report/print-table.ts'
import { writeResult } from '../report/write-result.ts'
import { type Candidate, type Listing, measureListing } from './measure-listing.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { values: flags } = parseArgs({
  options: {
    repeat: { type: 'string', default: '10' },
    output: { type: 'string', default: join(root, 'benchmarks', 'results', 'mcp.json') },
  },
})

/** Servers to compare with; they are not dependencies, since they bring hundreds of packages. */
const others = ['@modelcontextprotocol/server-everything@2026.8.31', '@sentry/mcp-server@0.36.0']
const folder = mkdtempSync(join(tmpdir(), 'mcp-bench-'))
try {
  const program = join(folder, 'bin.mjs')
  await build({
    entryPoints: [join(root, 'packages/mcp-server/src/bin.ts')],
    outfile: program,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'warning',
  })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--no-engine-strict', ...others], {
    cwd: folder,
    timeout: 300_000,
  })
  const everyTool = ['--toolsets', 'evals,traces,training,annotate', '--allow-writes', '--allow-destructive']
  const listModels = { name: 'models_list', arguments: {} }
  const candidates: Candidate[] = [
    { name: 'heddle, default', args: [program], call: listModels },
    { name: 'heddle, all tools', args: [program, ...everyTool], call: listModels },
    {
      name: 'everything',
      args: [join(folder, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
      call: { name: 'echo', arguments: { message: 'hello' } },
    },
    { name: 'sentry', args: [join(folder, 'node_modules/@sentry/mcp-server/dist/index.js'), '--access-token=none'] },
  ]
  const listings = new Map<string, Listing[]>(candidates.map(({ name }) => [name, []]))
  const service = await startService()
  // Alternately, so that other load of the machine affects all of them.
  for (let round = 0; round < Number(flags.repeat); round++) {
    for (const candidate of candidates) listings.get(candidate.name)?.push(await measureListing(candidate, service.url))
  }
  service.close()
  const results = [...listings].map(([name, all]) => {
    const [first] = all
    const { p50, p95 } = percentiles(all.map(({ listMs }) => listMs))
    const answers = all.flatMap(({ answerMs }) => (answerMs === undefined ? [] : [answerMs]))
    const answer = answers.length > 0 ? percentiles(answers) : undefined
    return {
      name,
      ...first,
      listMs: { p50: round(p50), p95: round(p95) },
      answerMs: answer && { p50: round(answer.p50), p95: round(answer.p95) },
    }
  })
  printTable(
    results.map((one) => ({
      server: one.name,
      'list ms p50': one.listMs.p50,
      p95: one.listMs.p95,
      'answer ms p50': one.answerMs?.p50 ?? '-',
      'answer p95': one.answerMs?.p95 ?? '-',
      tools: one.tools ?? 0,
      characters: one.characters ?? 0,
      'output schema': percent(one.withOutputSchema),
      annotations: percent(one.withAnnotations),
      'arguments described': percent(one.describedArguments),
    })),
  )
  writeResult(flags.output, { machine: describeMachine(), results })
} finally {
  rmSync(folder, { recursive: true })
}

function percent(share = 0): string {
  return `${Math.round(share * 100)} %`
}

/** Replaces the service of the called tool, to measure the server without a store. */
async function startService(): Promise<{ url: string; close(): void }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ object: 'list', data: [], first_id: '', last_id: '', has_more: false }))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() }
}
