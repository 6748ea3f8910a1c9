import type { Command } from 'commander'
import type { ThreadsOptions } from './commands/threads.ts'
import { configure, type ProgramDeps, untilInterrupt, withSource } from './program-flags.ts'
import type { Flags } from './settings/configuration.ts'

/** The commands about conversations across traces. */
export function addThreads(program: Command, deps: ProgramDeps): void {
  const threads = program.command('threads').description('Show conversations of the running server')
  withSource(threads.command('list').description('List the threads that were updated last'), deps)
    .option('--limit <number>', 'number of threads, at most 1000', '20')
    .action(async (flags: Flags & ThreadsOptions) => {
      const { listThreads } = await import('./commands/threads.ts')
      await untilInterrupt((signal) => listThreads(flags, { ...configure(flags, deps), signal }))
    })
  withSource(
    threads
      .command('show')
      .description('Show the turns of a thread: what was said, and the time, tokens and cost of each')
      .argument('<thread-id>', 'id of the thread'),
    deps,
  )
    .option('--limit <number>', 'number of turns from the first, at most 1000', '100')
    .action(async (threadId: string, flags: Flags & ThreadsOptions) => {
      const { showThread } = await import('./commands/threads.ts')
      await untilInterrupt((signal) => showThread(threadId, flags, { ...configure(flags, deps), signal }))
    })
}
