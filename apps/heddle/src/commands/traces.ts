import { setTimeout as wait } from 'node:timers/promises'
import { isApiError } from '@heddle/core-api'
import { parseProjectId } from '@heddle/identity'
import type { Configuration } from '../settings/configuration.ts'
import { connect, connectTraining } from '../connect.ts'
import { createClock } from '../terminal/clock.ts'
import { parseWhole } from '../terminal/parse-whole.ts'
import { withProgress } from '../terminal/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { toTerminalText } from '../terminal/terminal-text.ts'
import { describeCalls } from '../traces/describe-calls.ts'
import { drawTrace } from '../traces/draw-trace.ts'
import { formatTraceLine, formatTraces, type TraceSummary } from '../traces/list-traces.ts'
import { maxCallsOfTrace, type NamedTraceSource, readTrace, readTraces } from '../traces/read-traces.ts'
import { createSpanNames } from '../traces/span-names.ts'
import type { TracedCall } from '../traces/traced-call.ts'
import { findRecordedOfTrace } from '../training/find-recorded-trajectories.ts'
import { findTrajectoriesOfTrace } from '../training/find-trajectories.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { printMessages } from './trace-messages.ts'

const followEveryMs = 1_000
/** Traces read by each poll. More new or changed traces than this between two polls are missed. */
const followedTraces = 200
/** Other projects named where one has no traces. */
const maxNamedProjects = 5

export interface TracesOptions {
  /** `entity/project`. */
  project: string
  json?: boolean
  follow?: boolean
  /** Shows the messages instead of the tree. */
  messages?: boolean
}

interface TracesDeps {
  configuration: Configuration
  terminal: Terminal
  /** Ends `--follow`. */
  signal: AbortSignal
}

/** Prints the newest traces of a project; with `follow`, also each that comes or changes, until the signal. */
export async function listTraces(options: TracesOptions & { limit: string; slowest?: boolean }, deps: TracesDeps): Promise<void> {
  if (options.slowest && options.follow) throw new UsageError('--slowest cannot be combined with --follow')
  const limit = parseWhole('--limit', options.limit, { to: 1_000 })
  const source = await openSource(options, deps)
  const wanted = options.follow ? Math.max(limit, followedTraces) : limit
  const traces = await withProgress(deps.terminal, 'Reading traces', () =>
    readTraces(source, wanted, options.slowest ? 'slowest' : 'newest'),
  )
  if (traces.length === 0 && !options.json) deps.terminal.note(await noTraces(source))
  if (!options.follow) return printTraces(traces, options, deps)
  printLines(traces.slice(0, limit).toReversed(), options, deps)
  await follow(traces, { ...options, source, ...deps })
}

/** Prints one trace as a tree, or its messages: the one with this id, or the newest. With `follow`, again after each change, until it has ended. */
export async function showTrace(traceId: string | undefined, options: TracesOptions, deps: TracesDeps): Promise<void> {
  if (options.messages && options.follow) throw new UsageError('--messages cannot be combined with --follow')
  const source = await openSource(options, deps)
  const read = async () => source.addSpanNames(await readTrace(source, id))
  const id = traceId ?? (await readTraces(source, 1))[0]?.trace_id ?? ''
  if (id === '') throw new UsageError(await noTraces(source))
  let calls = await withProgress(deps.terminal, 'Reading the trace', read)
  if (calls.length === 0)
    throw new UsageError(`project ${options.project} has no trace ${JSON.stringify(id)}; run \`heddle traces list\` to see the newest`)
  if (options.messages) return printMessages(calls, { ...options, project: source.project }, deps)
  printTrace(calls, options, deps)
  if (!options.json) await noteTrajectories(id, options, deps)
  while (options.follow && calls.some((call) => !call.ended_at) && !deps.signal.aborted) {
    await pause(deps.signal)
    const before = JSON.stringify(calls)
    calls = await read()
    if (JSON.stringify(calls) !== before) printTrace(calls, options, deps)
  }
}

/** Says which trajectories the trace belongs to, logged and recorded. */
async function noteTrajectories(traceId: string, { project }: TracesOptions, { configuration, terminal }: TracesDeps): Promise<void> {
  const client = await connectTraining(configuration)
  const [found, recorded] = await Promise.all([
    findTrajectoriesOfTrace(client, project, traceId),
    findRecordedOfTrace(client, project, traceId),
  ])
  for (const { trajectory, model } of found) {
    const id = toTerminalText(String(trajectory.metadata['trajectory_id'] ?? trajectory.id))
    terminal.note(`Trajectory ${id} of model ${toTerminalText(model.name)}, reward ${trajectory.reward}: heddle trajectories show ${id}`)
  }
  for (const { recorded: one, model } of recorded) {
    const id = toTerminalText(one.id)
    const outcome = one.reward === null ? one.status : `reward ${one.reward}`
    terminal.note(`Recorded trajectory ${id} of model ${toTerminalText(model.name)}, ${outcome}: heddle trajectories show ${id}`)
  }
}

async function openSource(options: TracesOptions, { configuration, signal }: TracesDeps): Promise<NamedTraceSource> {
  const project = parseProjectId(options.project).id
  const { client } = await connect(configuration)
  return { client, project, signal, addSpanNames: createSpanNames({ client, project, signal }) }
}

async function follow(
  traces: readonly TraceSummary[],
  { source, configuration, terminal, signal, json }: TracesDeps & TracesOptions & { source: NamedTraceSource },
): Promise<void> {
  let shown = new Map(traces.map((trace) => [trace.trace_id, JSON.stringify(trace)]))
  while (!signal.aborted) {
    await pause(signal)
    const current = await readTraces(source, followedTraces).catch((error: unknown) => unlessPassing(error, { terminal, signal }))
    if (!current) continue
    const changed = current.filter((trace) => shown.get(trace.trace_id) !== JSON.stringify(trace))
    printLines(changed.toReversed(), { json: json ?? false }, { configuration, terminal })
    shown = new Map(current.map((trace) => [trace.trace_id, JSON.stringify(trace)]))
  }
}

/** Retries while the server restarts or is busy. */
function unlessPassing(error: unknown, { terminal, signal }: Pick<TracesDeps, 'terminal' | 'signal'>): undefined {
  if (signal.aborted) return
  if (isApiError(error) && error.status < 500 && error.status !== 429) throw error
  terminal.note(`The server did not respond (${error instanceof Error ? error.message : 'unknown error'}); retrying`)
}

type Printing = Pick<TracesDeps, 'configuration' | 'terminal'>

function printTraces(traces: readonly TraceSummary[], { json }: Pick<TracesOptions, 'json'>, { configuration, terminal }: Printing): void {
  if (json) terminal.json(JSON.stringify(traces, null, 2))
  else if (traces.length > 0) terminal.out(formatTraces(traces, createClock(configuration.timeZone)))
}

/** One line for each trace, for output without an end. */
function printLines(traces: readonly TraceSummary[], { json }: Pick<TracesOptions, 'json'>, { configuration, terminal }: Printing): void {
  const clock = createClock(configuration.timeZone)
  for (const trace of traces)
    if (json) terminal.json(JSON.stringify(trace))
    else terminal.out(formatTraceLine(trace, clock))
}

function printTrace(calls: readonly TracedCall[], { json }: TracesOptions, { configuration, terminal }: Printing): void {
  if (json) terminal.json(JSON.stringify(describeCalls(calls), null, 2))
  else terminal.out(drawTrace(calls, createClock(configuration.timeZone)))
  if (calls.length === maxCallsOfTrace) terminal.note(`Only the first ${maxCallsOfTrace} calls of this trace are shown.`)
}

/** Names the projects that have calls, since the wrong one is the usual reason. */
async function noTraces({ client, project, signal }: NamedTraceSource): Promise<string> {
  const { projects } = await client.projects.query({ limit: maxNamedProjects }, signal ? { signal } : {})
  const others = projects.filter(({ last_call_at }) => last_call_at !== null).map(({ id }) => toTerminalText(id))
  const these = others.length === 0 ? '' : ` These have some: ${others.join(', ')}.`
  return `Project ${project} has no traces yet.${these} Choose another with --project entity/project, or send traces after: eval "$(heddle print-env)"`
}

/** Waits for the next poll, or until the signal. */
async function pause(signal: AbortSignal): Promise<void> {
  await wait(followEveryMs, undefined, { signal }).catch(() => undefined)
}
