import type { Command } from 'commander'
import type { TrainFileFlags } from './commands/train-from-file.ts'
import type { TrainFlags } from './commands/train-from-traces.ts'
import type { ModelFlags } from './commands/models.ts'
import type { ExportFlags } from './commands/trajectories.ts'
import { addFineTuning } from './program-fine-tuning.ts'
import { collect, configure, type ProgramDeps, untilInterrupt, withSource } from './program-flags.ts'

/** The commands that begin training. */
export function addTrain(program: Command, deps: ProgramDeps): void {
  const train = program.command('train').description('Train models of the running server')
  withSource(
    train
      .command('from-traces')
      .description(
        'Train a model on attempts that traces recorded: rebuild their trajectories, group and reward them, report, and start a job',
      )
      .argument('<model>', 'name or id of the model'),
    deps,
  )
    .option(
      '--since <time>',
      'only traces that started then or later, such as 2026-11-16 (midnight in --time-zone) or 2026-11-16T08:00:00Z',
    )
    .option('--until <time>', 'only traces that started before')
    .option('--op <name>', 'each call of this op or span is an attempt (default: whole traces, or rows of evaluations)')
    .option('--thread <id>', 'only traces of this thread')
    .option('--rollout <id>', 'only attempts of this rollout')
    .option('--query <json>', 'only traces with a call that this expression of the query language matches')
    .option('--limit <number>', 'traces to read, at most 100000, the oldest first', '10000')
    .option(
      '--group-by <what>',
      'what attempts at one task share: recorded, prompt, row, attributes.<name> or inputs.<name>, see below',
      'recorded',
    )
    .option(
      '--reward <source>',
      'recorded (heddle.reward.value), feedback (reactions), feedback:<type>[#<path>], score:<path> of an evaluation, scorer:<reference>[#<path>] (a stored scorer, which is run over attempts that it has not scored; by its name alone, only read), or ruler (a judge compares the attempts of a group, in a dry run too)',
      'recorded',
    )
    .option('--judge-model <name>', 'model that judges, for --reward ruler')
    .option('--judge-url <url>', 'OpenAI-compatible endpoint of the judge, such as https://models.example/v1 (default: this server)')
    .option('--judge-key-variable <name>', 'environment variable with the key of that endpoint', 'OPENAI_API_KEY')
    .option('--rubric <text>', 'what makes an attempt better than another')
    .option('--policy <model>', 'only completions of this model are trained on, others are context (default: all)')
    .option('--keep-failed', 'train on attempts that failed, too')
    .option('--allow-training-without-logprobs', 'train on choices without log-probabilities, with an importance ratio of 1')
    .option('--config <name=value>', 'setting of the job, such as learning_rate=0.001; repeatable', collect)
    .option('--idempotency-key <key>', 'repeats with the same key start one job (default: the content of the request)')
    .option('--dry-run', 'only report what would be trained on')
    .option('--watch', 'follow the job until it ends')
    .addHelpText('after', fromTracesHelp)
    .action(async (model: string, flags: TrainFlags) => {
      const { trainFromTraces } = await import('./commands/train-from-traces.ts')
      await untilInterrupt(async (signal) => {
        if (!(await trainFromTraces(model, flags, { ...configure(flags, deps), environment: deps.environment, signal })))
          deps.setExitCode(1)
      })
    })
  addTrainFromFile(train, deps)
  addFineTuning(train, deps)
}

const fromTracesHelp = `
Grouping (--group-by): rewards are compared between attempts at the same task, so each attempt needs something that says which task it was.
  recorded          the group id that @heddle/agent-instrumentation writes, on any span of the attempt: heddle.group_id
  prompt            the messages before the first response, with the tools: for programs that were never changed
  row               the row of the dataset, for attempts of evaluations
  attributes.<name> an attribute of the first span or call of the attempt. Give it to the span where the attempt begins:
                    span.setAttribute('task', 'sums')  then  --group-by attributes.task
  inputs.<name>     a value that the first call was called with, such as inputs.question

Examples:
  heddle train from-traces agent --since 2026-11-16 --group-by prompt --reward feedback --dry-run
  heddle train from-traces agent --op solve --group-by attributes.task --reward scorer:exact --watch`

function addTrainFromFile(train: Command, deps: ProgramDeps): void {
  withSource(
    train
      .command('from-file')
      .description('Train a model on the trajectory groups of a file: report, and start a job')
      .argument('<model>', 'name or id of the model')
      .argument('<file>', 'lines of JSON, one group a line, as `heddle trajectories export` and `writeGroups` write them'),
    deps,
  )
    .option('--allow-training-without-logprobs', 'train on choices without log-probabilities, with an importance ratio of 1')
    .option('--config <name=value>', 'setting of the job, such as learning_rate=0.001; repeatable', collect)
    .option('--idempotency-key <key>', 'repeats with the same key start one job (default: the content of the request)')
    .option('--dry-run', 'only report what would be trained on')
    .option('--watch', 'follow the job until it ends')
    .addHelpText('after', fromFileHelp)
    .action(async (model: string, file: string, flags: TrainFileFlags) => {
      const { trainFromFile } = await import('./commands/train-from-file.ts')
      await untilInterrupt(async (signal) => {
        if (!(await trainFromFile(model, file, flags, { ...configure(flags, deps), signal }))) deps.setExitCode(1)
      })
    })
}

const fromFileHelp = `
Rewards and groups are those of the file. Groups whose rewards are equal teach nothing, and choices need log-probabilities: the report counts what is left out, and
why. The same file and settings again within 24 hours are the same job, so a command that was cut off may be repeated.

Example:
  heddle trajectories export agent --recorded --out groups.jsonl
  heddle train from-file agent groups.jsonl --dry-run`

/** The commands about trajectories. */
export function addTrajectories(program: Command, deps: ProgramDeps): void {
  const trajectories = program.command('trajectories').description('Show, export and import trajectories of the running server')
  withSource(
    trajectories
      .command('show')
      .description('Show a logged or recorded trajectory with its trace, reward, metrics and messages')
      .argument('<id>', 'id of the trajectory'),
    deps,
  ).action(async (id: string, flags: ModelFlags) => {
    const { showTrajectory } = await import('./commands/trajectories.ts')
    await showTrajectory(id, flags, configure(flags, deps))
  })
  withSource(
    trajectories
      .command('export')
      .description('Write trajectory groups as lines of JSON, as training jobs and `import` take them')
      .argument('<model>', 'name or id of the model'),
    deps,
  )
    .option('--recorded', 'those that the server recorded from chat completions, with log-probabilities (default: those that were logged)')
    .option('--split <name>', 'only logged groups of this split, such as train')
    .option('--step <number>', 'only groups that were logged at this step')
    .option('--group <id>', 'only this recorded group')
    .option('--rollout <id>', 'only recorded trajectories of this rollout')
    .option('--out <file>', 'file to write, such as groups.jsonl; it must not exist (default: the standard output)')
    .action(async (model: string, flags: ExportFlags) => {
      const { exportTrajectories } = await import('./commands/trajectories.ts')
      await exportTrajectories(model, flags, configure(flags, deps))
    })
  withSource(
    trajectories
      .command('import')
      .description('Log the trajectory groups of a file, one a line; the same file again within 24 hours adds nothing')
      .argument('<model>', 'name or id of the model')
      .argument('<file>', 'lines of JSON, as `export` writes them'),
    deps,
  )
    .option('--split <name>', 'split to log them in', 'train')
    .action(async (model: string, file: string, flags: ModelFlags & { split: string }) => {
      const { importTrajectoriesCommand } = await import('./commands/trajectories.ts')
      await importTrajectoriesCommand(model, file, flags, configure(flags, deps))
    })
  trajectories
    .command('from-atif')
    .description('Convert trajectories in the Agent Trajectory Interchange Format to groups, for `import` and `heddle train from-file`')
    .argument('<path...>', 'files of trajectories, folders of them, or folders of jobs of Harbor')
    .requiredOption('--out <file>', 'file of groups to write; it must not exist')
    .addHelpText('after', fromAtifHelp)
    .action(async (paths: string[], flags: { out: string }) => {
      const { fromAtifCommand } = await import('./commands/convert-trajectories.ts')
      await fromAtifCommand(paths, flags, configure({}, deps))
    })
  trajectories
    .command('to-atif')
    .description('Convert a file of groups, as `export` writes it, to the Agent Trajectory Interchange Format: one file a trajectory')
    .argument('<file>', 'lines of JSON, as `export` writes them')
    .requiredOption('--out <folder>', 'folder to write; it must not exist')
    .action(async (file: string, flags: { out: string }) => {
      const { toAtifCommand } = await import('./commands/convert-trajectories.ts')
      await toAtifCommand(file, flags, configure({}, deps))
    })
}

const fromAtifHelp = `
Trials of Harbor with the same task are a group; their reward is that of the verifier. A trajectory alone has its reward in extra.reward and its group in
extra.group_id. Steps with completion_token_ids and logprobs are trained on, other steps are context.

Example:
  heddle trajectories from-atif jobs/2026-11-29__12-00-00 --out groups.jsonl
  heddle train from-file agent groups.jsonl --dry-run`
