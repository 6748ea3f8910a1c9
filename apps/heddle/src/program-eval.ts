import type { Command } from 'commander'
import type { StatisticsOptions } from './commands/eval/eval-options.ts'
import type { GateOptions } from './commands/eval/eval-gate.ts'
import { collect, configure, type ProgramDeps, untilInterrupt, withSource } from './program-flags.ts'
import type { Flags } from './settings/configuration.ts'

type EvalFlags = Flags & { project: string; json?: boolean }
type ReportFlags = EvalFlags & StatisticsOptions & { scorer?: string[]; rows: string }

/** The commands that read results of evaluations. */
export function addEval(program: Command, deps: ProgramDeps): void {
  const evaluations = program.command('eval').description('Show, compare and gate evaluation runs of the running server')
  addList(evaluations, deps)
  addShow(evaluations, deps)
  addCompare(evaluations, deps)
  addGate(evaluations, deps)
}

function addList(evaluations: Command, deps: ProgramDeps): void {
  withSource(evaluations.command('list').description('List the newest evaluation runs'), deps)
    .option('--limit <number>', 'number of runs, at most 1000', '20')
    .action(async (flags: EvalFlags & { limit: string }) => {
      const { listEvaluations } = await import('./commands/eval/eval-list.ts')
      await untilInterrupt((signal) => listEvaluations(flags, { ...configure(flags, deps), signal }))
    })
}

function addShow(evaluations: Command, deps: ProgramDeps): void {
  withReport(evaluations.command('show').description('Show the scores of a run, and its rows with the lowest'), deps)
    .argument('[run-id]', 'id of the run (default: the newest)')
    .action(async (id: string | undefined, flags: ReportFlags) => {
      const { showEvaluation } = await import('./commands/eval/eval-show.ts')
      await untilInterrupt((signal) => showEvaluation(id, flags, { ...configure(flags, deps), signal }))
    })
}

function addCompare(evaluations: Command, deps: ProgramDeps): void {
  withReport(evaluations.command('compare').description('Compare two runs row by row'), deps)
    .argument('<run-before>', 'id of the run before, of `heddle eval list`')
    .argument('<run-after>', 'id of the run after')
    .action(async (a: string, b: string, flags: ReportFlags) => {
      const { compareEvaluations } = await import('./commands/eval/eval-compare.ts')
      await untilInterrupt((signal) => compareEvaluations([a, b], flags, { ...configure(flags, deps), signal }))
    })
}

const gateHelp = `
Rules can be repeated; a rate is a number from 0 to 1, and model_latency_seconds and total_tokens are scores too.

Exit code: 0 all rules passed, 1 a rule failed, 2 it could not be decided (also on bad usage and without a server).

Example:
  heddle eval gate --baseline <run> --candidate <run> --min "exact.match>=0.8" --max-drop exact.match=0.02`

const exitCodes = { passed: 0, failed: 1, undecided: 2 }

function addGate(evaluations: Command, deps: ProgramDeps): void {
  withStatistics(withSource(evaluations.command('gate').description('Judge a run by rules, for CI'), deps))
    .requiredOption('--candidate <run-id>', 'run to judge')
    .option('--baseline <run-id>', 'run to compare it with')
    .option('--min <rule>', 'least mean of a score, as "score>=0.8" or "score>0.8"; repeatable', collect)
    .option('--max <rule>', 'greatest mean of a score, as "score<=2" or "score<2"; repeatable', collect)
    .option('--max-drop <score=number>', 'how far a score may fall below the baseline, judged on the interval; repeatable', collect)
    .option('--max-rise <score=number>', 'how far a score may rise above the baseline, judged on the interval; repeatable', collect)
    .option('--min-coverage <share>', 'share of trials, or of paired rows, that must have the score', '1')
    .option('--junit <file>', 'also write a JUnit report')
    .addHelpText('after', gateHelp)
    // A failed rule is 1, so a wrong flag must be another code. The message is printed already.
    .exitOverride((error) => {
      deps.setExitCode(error.exitCode === 0 ? 0 : exitCodes.undecided)
      throw error
    })
    .action(async (flags: Flags & GateOptions) => {
      // What ends the command before its end, Ctrl-C too, leaves it undecided.
      deps.setExitCode(exitCodes.undecided)
      const { gateEvaluation } = await import('./commands/eval/eval-gate.ts')
      await untilInterrupt(async (signal) => {
        deps.setExitCode(exitCodes[await gateEvaluation(flags, { ...configure(flags, deps), signal })])
      })
    })
}

function withReport(command: Command, deps: ProgramDeps): Command {
  return withStatistics(withSource(command, deps))
    .option('--scorer <name>', 'only this score, or those of this scorer; chart and rows are of the first; repeatable', collect)
    .option('--rows <number>', 'rows to show of each kind, at most 100', '5')
}

function withStatistics(command: Command): Command {
  return command
    .option('--confidence <level>', 'level of the intervals, from 0.5 to 0.999', '0.95')
    .option('--seed <number>', 'seed of the bootstrap', '1')
}
