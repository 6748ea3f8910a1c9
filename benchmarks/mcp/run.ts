import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
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
  const candidates: Candidate[] = [
    { name: 'heddle, default', args: [program] },
    { name: 'heddle, all tools', args: [program, '--toolsets', 'evals,traces,training,annotate', '--allow-writes', '--allow-destructive'] },
    { name: 'everything', args: [join(folder, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'] },
    { name: 'sentry', args: [join(folder, 'node_modules/@sentry/mcp-server/dist/index.js'), '--access-token=none'] },
  ]
  const listings = new Map<string, Listing[]>(candidates.map(({ name }) => [name, []]))
  // In turns, so that what else the machine does meets all alike.
  for (let round = 0; round < Number(flags.repeat); round++) {
    for (const candidate of candidates) listings.get(candidate.name)?.push(await measureListing(candidate))
  }
  const results = [...listings].map(([name, all]) => {
    const [first] = all
    const { p50, p95 } = percentiles(all.map(({ listMs }) => listMs))
    return { name, ...first, listMs: { p50: round(p50), p95: round(p95) } }
  })
  printTable(
    results.map((one) => ({
      server: one.name,
      'list ms p50': one.listMs.p50,
      p95: one.listMs.p95,
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
