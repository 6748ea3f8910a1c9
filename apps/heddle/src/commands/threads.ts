import { parseProjectId } from '@heddle/identity'
import { stringifyJson } from '@heddle/json'
import { connectExactly } from '../connect.ts'
import type { ActionDeps } from '../program-flags.ts'
import { createClock } from '../terminal/clock.ts'
import { parseWhole } from '../terminal/parse-whole.ts'
import { withProgress } from '../terminal/progress.ts'
import { UsageError } from '../terminal/usage-error.ts'
import { drawThread, formatThreads } from '../threads/draw-thread.ts'
import { readThreads, readTurns, type ThreadSource } from '../threads/read-threads.ts'

export interface ThreadsOptions {
  /** `entity/project`. */
  project: string
  limit: string
  json?: boolean
}

interface ThreadsDeps extends ActionDeps {
  signal: AbortSignal
}

/** Prints the threads of a project that were updated last. */
export async function listThreads(options: ThreadsOptions, deps: ThreadsDeps): Promise<void> {
  const limit = parseWhole('--limit', options.limit, { to: 1_000 })
  const source = await openSource(options, deps)
  const threads = await withProgress(deps.terminal, 'Reading threads', () => readThreads(source, limit))
  if (options.json) return deps.terminal.json(stringifyLines(threads))
  if (threads.length === 0) return deps.terminal.note(`Project ${source.project} has no threads; choose another with --project`)
  deps.terminal.out(formatThreads(threads, createClock(deps.configuration.timeZone)))
}

/** Prints the turns of a thread, with their messages and totals. @throws UsageError for a thread without turns */
export async function showThread(threadId: string, options: ThreadsOptions, deps: ThreadsDeps): Promise<void> {
  const limit = parseWhole('--limit', options.limit, { to: 1_000 })
  const source = await openSource(options, deps)
  const { terminal } = deps
  // One more says whether there are others.
  const read = await withProgress(terminal, 'Reading the thread', () => readTurns(source, threadId, limit + 1))
  if (read.length === 0)
    throw new UsageError(
      `project ${source.project} has no thread ${JSON.stringify(threadId)}; run \`heddle threads list\` to see those that were updated last`,
    )
  const turns = read.slice(0, limit)
  if (options.json) terminal.json(stringifyLines(turns))
  else terminal.out(drawThread(threadId, turns, createClock(deps.configuration.timeZone)))
  if (read.length > limit) terminal.note(`Only the first ${limit} turns are shown; --limit shows more.`)
}

async function openSource({ project }: ThreadsOptions, { configuration, signal }: ThreadsDeps): Promise<ThreadSource> {
  // What was said may hold numbers that are exact as text alone.
  return { client: await connectExactly(configuration), project: parseProjectId(project).id, signal }
}

/** A JSON list with a line for each entry. */
function stringifyLines(entries: readonly object[]): string {
  return entries.length === 0 ? '[]' : `[\n${entries.map((entry) => stringifyJson(entry)).join(',\n')}\n]`
}
