import type { Command } from 'commander'
import type { FineTuningFlags } from './commands/fine-tune.ts'
import { configure, type ProgramDeps, untilInterrupt, withSource } from './program-flags.ts'

/** The commands that train on lines of a file: conversations, or preference pairs. */
export function addFineTuning(train: Command, deps: ProgramDeps): void {
  const sft = withJob(
    train.command('sft').description('Fine-tune a model on the conversations of a file, follow the job, and say how to use the result'),
    deps,
    {
      lines: 'lines of JSON, each with `messages`, the last from the assistant, and optionally `tools`',
      examples: 'conversations',
      rate: 'that of the base model',
    },
  )
  sft
    .option('--assistant-turns <which>', 'all or last: which messages of the assistant are learned (default: all)')
    .addHelpText('after', sftHelp)
    .action((model: string, file: string, flags: FineTuningFlags) => run('conversations', model, file, flags))
  const dpo = withJob(
    train.command('dpo').description('Train a model on preference pairs of a file by direct preference optimization'),
    deps,
    {
      lines: 'lines of JSON, each with `prompt`, `chosen` and `rejected`',
      examples: 'pairs',
      rate: 'a tenth of that of the base model for rewards',
    },
  )
  dpo
    .option('--beta <number>', 'how strongly the model is held to the reference, above 0 to 100 (default: 0.1)')
    .option('--label-smoothing <number>', 'share of the pairs whose order is assumed to be wrong, 0 to below 0.5 (default: 0)')
    .option('--reference <weights>', 'start or base: the weights where the job begins, or the base model (default: start)')
    .addHelpText('after', dpoHelp)
    .action((model: string, file: string, flags: FineTuningFlags) => run('preferences', model, file, flags))

  async function run(kind: 'conversations' | 'preferences', model: string, file: string, flags: FineTuningFlags): Promise<void> {
    const { fineTune } = await import('./commands/fine-tune.ts')
    await untilInterrupt(async (signal) => {
      if (!(await fineTune({ kind, model, file }, flags, { ...configure(flags, deps), signal }))) deps.setExitCode(1)
    })
  }
}

/** Words of the help that differ between the commands. */
interface Words {
  /** What the file holds. */
  lines: string
  examples: string
  /** The learning rate by default. */
  rate: string
}

function withJob(command: Command, deps: ProgramDeps, { lines, examples, rate }: Words): Command {
  return withSource(command.argument('<model>', 'name or id of the model').argument('<file>', lines), deps)
    .option('--base <id>', 'base model for a new model, such as heddle-nano; an existing model keeps its own')
    .option('--epochs <number>', 'passes over the data, 1 to 100 (default: 1)')
    .option('--learning-rate <number>', `learning rate (default: ${rate})`)
    .option('--schedule <name>', 'constant, linear or cosine: how the rate falls over the job (default: constant)')
    .option('--warmup <share>', 'share of the steps over which the rate rises, 0 to 1 (default: 0)')
    .option('--batch-size <number>', `${examples} of a gradient step, 1 to 10000 (default: 2)`)
    .option('--packing <tokens>', `fill each gradient step with ${examples} up to this many tokens, instead of --batch-size`)
    .option('--no-shuffle', 'keep the order of the lines in every pass')
    .option('--held-out <share>', `share of the ${examples} that are not learned, to measure the loss, at most 0.5 (default: 0)`)
    .option('--early-stop <passes>', 'stop after this many passes without a lower held-out loss')
    .option(
      '--rank <number>',
      'rank of the adapter of a new model, at most that of the server, usually 256 (default: that of the base model)',
    )
    .option('--target-modules <names>', 'linear layers that get an adapter, such as q_proj,v_proj (default: all)')
    .option('--idempotency-key <key>', 'train again on the same file with the same settings, once for each key')
    .option('--dry-run', 'only check the file, and report what the job would do and the memory that it needs')
    .option('--detach', 'start the job and do not follow it')
}

const sftHelp = `
The same model, file and settings are the same job: after Ctrl+C or a lost connection, run the same command again to follow it. The job continues meanwhile.
Lines that cannot be learned are named with their numbers, and nothing is uploaded.

Examples:
  heddle train sft support tickets.jsonl --base heddle-nano --dry-run
  heddle train sft support tickets.jsonl --epochs 3 --held-out 0.1 --early-stop 1 --schedule cosine`

const dpoHelp = `
\`prompt\` is a text or a list of messages; \`chosen\` and \`rejected\` are a text, a message or a list of messages each. \`input\`, \`preferred_output\` and
\`non_preferred_output\` are accepted as well. The same model, file and settings are the same job, as with \`heddle train sft\`.

Example:
  heddle train dpo support pairs.jsonl --beta 0.1 --epochs 2 --held-out 0.1`
