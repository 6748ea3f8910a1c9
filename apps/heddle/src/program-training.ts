import { type Command, Option } from 'commander'
import type { DemoFlags } from './commands/demo.ts'
import type { ExportFlags, ModelFlags } from './commands/models.ts'
import type { Flags } from './settings/configuration.ts'
import { clientSettings, configure, type ProgramDeps, untilInterrupt, withSettings, withSource } from './program-flags.ts'

/** The commands about models that are trained. */
export function addModels(program: Command, deps: ProgramDeps): void {
  const models = program.command('models').description('Register, show, export and import models of the running server')
  withSource(models.command('list').description('List the models of a project'), deps).action(async (flags: ModelFlags) => {
    const { listModels } = await import('./commands/models.ts')
    await listModels(flags, configure(flags, deps))
  })
  withSource(
    models
      .command('register')
      .description('Register a model to train; one that has the name is kept')
      .argument('<name>', 'name of the model'),
    deps,
  )
    .requiredOption('--base-model <id>', 'where its training begins, such as heddle-nano')
    .action(async (name: string, flags: ModelFlags & { baseModel: string }) => {
      const { registerModel } = await import('./commands/models.ts')
      await registerModel(name, flags, configure(flags, deps))
    })
  withSource(
    models.command('show').description('Show a model with its newest checkpoints and jobs').argument('<model>', 'name or id of the model'),
    deps,
  ).action(async (model: string, flags: ModelFlags) => {
    const { showModel } = await import('./commands/models.ts')
    await showModel(model, flags, configure(flags, deps))
  })
  withSource(
    models
      .command('export')
      .description('Write a checkpoint to a file, or to a folder that other programs load')
      .argument('<model>', 'name or id of the model'),
    deps,
  )
    .option('--step <number>', 'step of the checkpoint (default: the newest)')
    .addOption(
      new Option('--format <format>', 'archive for `heddle models import`, or a folder of safetensors, peft or gguf')
        .choices(['archive', 'safetensors', 'peft', 'gguf'])
        .default('archive'),
    )
    .addOption(
      new Option('--numbers <format>', 'of the weights (default: bf16 in safetensors, f16 in gguf)').choices([
        'f32',
        'bf16',
        'f16',
        'q8_0',
      ]),
    )
    .requiredOption('--out <path>', 'file to write, such as agent.tar.gz, or folder; it must not exist')
    .addHelpText('after', exportHelp)
    .action(async (model: string, flags: ExportFlags) => {
      const { exportModel } = await import('./commands/models.ts')
      await exportModel(model, flags, configure(flags, deps))
    })
  withSource(
    models
      .command('import')
      .description('Register a model with the weights of a folder or an archive as its first checkpoint')
      .argument('<name>', 'name of the new model')
      .argument('<path>', 'folder, or .tar.gz file, with an adapter or the weights of a whole model'),
    deps,
  )
    .option('--base-model <id>', 'base model that the weights belong to (default: the one that their files name)')
    .addHelpText('after', importHelp)
    .action(async (name: string, path: string, flags: ModelFlags & { baseModel?: string }) => {
      const { importModel } = await import('./commands/models.ts')
      await importModel(name, path, flags, configure(flags, deps))
    })
}

const exportHelp = `
safetensors and gguf have all weights, with an adapter merged into them; peft has the adapter alone. Each folder has the tokenizer, its chat
template and a model card, gguf a Modelfile for Ollama too.

Examples:
  heddle models export agent --out agent.tar.gz
  heddle models export agent --format gguf --numbers q8_0 --out agent-gguf`

const importHelp = `
Takes the layouts of PEFT (adapter_config.json, adapter_model.safetensors) and of Hugging Face (config.json, model.safetensors), at most
4 GiB unless the server is set otherwise (HEDDLE_MAX_CHECKPOINT_BYTES). They must fit the base model: its shape, and the rank and alpha of its adapters. What does not fit is refused with the key and both values.

Example:
  heddle models import agent-copy agent.tar.gz`

/** The commands about training jobs. */
export function addJobs(program: Command, deps: ProgramDeps): void {
  const jobs = program.command('jobs').description('Show, watch and cancel training jobs of the running server')
  withSource(
    jobs.command('list').description('List the newest training jobs of a model').argument('<model>', 'name or id of the model'),
    deps,
  )
    .option('--limit <number>', 'number of jobs, at most 100', '20')
    .action(async (model: string, flags: ModelFlags & { limit: string }) => {
      const { listJobs } = await import('./commands/jobs.ts')
      await listJobs(model, flags, configure(flags, deps))
    })
  withSource(
    jobs.command('cancel').description('Cancel a training job; the model stays as it is').argument('<job-id>', 'id of the job'),
    deps,
  ).action(async (id: string, flags: ModelFlags) => {
    const { cancelJob } = await import('./commands/jobs.ts')
    await cancelJob(id, flags, configure(flags, deps))
  })
  withSource(jobs.command('watch').description('Follow a training job until it ends').argument('<job-id>', 'id of the job'), deps).action(
    async (id: string, flags: ModelFlags) => {
      const { watchJob } = await import('./commands/jobs.ts')
      await untilInterrupt(async (signal) => {
        if (!(await watchJob(id, flags, { ...configure(flags, deps), signal }))) deps.setExitCode(1)
      })
    },
  )
}

const demoHelp = `
Uses the server at --url, or the one that runs at --host and --port, or starts one on the data folder. Each run trains a model with a new name.

Exit code: 0 it came to its end, 130 it was stopped.

Example:
  heddle demo --rounds 6`

/** The code of a command that was interrupted. */
const interrupted = 130

/** The command that shows the whole way, from traces to a better model. */
export function addDemo(program: Command, deps: ProgramDeps): void {
  withSettings(program.command('demo').description('Trace, evaluate and train a small agent, and compare it with itself'), [
    ...clientSettings,
    'timeZone',
  ])
    .option('--project <entity/project>', 'project to write to', 'local/demo')
    .option('--tasks <number>', 'questions of a round', '8')
    .option('--rounds <number>', 'rounds of attempts and training', '12')
    .option('--seed <number>', 'the same seed gives the same result', '1')
    .option('--json', 'print JSON')
    .addHelpText('after', demoHelp)
    .action(async (flags: Flags & DemoFlags) => {
      const { demo } = await import('./commands/demo.ts')
      await untilInterrupt(async (signal) => {
        if (!(await demo(flags, { ...configure(flags, deps), signal }))) deps.setExitCode(interrupted)
      })
    })
}
