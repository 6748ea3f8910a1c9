import type { Command } from 'commander'
import type { ModelFlags } from './commands/models.ts'
import { configure, type ProgramDeps, untilInterrupt, withSource } from './program-flags.ts'

/** The commands about models that are trained. */
export function addModels(program: Command, deps: ProgramDeps): void {
  const models = program.command('models').description('Register, show and export models of the running server')
  withSource(models.command('list').description('List the models of a project')).action(async (flags: ModelFlags) => {
    const { listModels } = await import('./commands/models.ts')
    await listModels(flags, configure(flags, deps))
  })
  withSource(
    models
      .command('register')
      .description('Register a model to train; one that has the name is kept')
      .argument('<name>', 'name of the model'),
  )
    .requiredOption('--base-model <id>', 'where its training begins, such as heddle-nano')
    .action(async (name: string, flags: ModelFlags & { baseModel: string }) => {
      const { registerModel } = await import('./commands/models.ts')
      await registerModel(name, flags, configure(flags, deps))
    })
  withSource(
    models.command('show').description('Show a model with its newest checkpoints and jobs').argument('<model>', 'name or id of the model'),
  ).action(async (model: string, flags: ModelFlags) => {
    const { showModel } = await import('./commands/models.ts')
    await showModel(model, flags, configure(flags, deps))
  })
  withSource(
    models
      .command('export')
      .description('Write the files of a checkpoint to a gzipped tar file')
      .argument('<model>', 'name or id of the model'),
  )
    .option('--step <number>', 'step of the checkpoint (default: the newest)')
    .requiredOption('--out <file>', 'file to write, such as agent.tar.gz; it must not exist')
    .action(async (model: string, flags: ModelFlags & { step?: string; out: string }) => {
      const { exportModel } = await import('./commands/models.ts')
      await exportModel(model, flags, configure(flags, deps))
    })
}

/** The commands about training jobs. */
export function addJobs(program: Command, deps: ProgramDeps): void {
  const jobs = program.command('jobs').description('Show and watch training jobs of the running server')
  withSource(jobs.command('list').description('List the newest training jobs of a model').argument('<model>', 'name or id of the model'))
    .option('--limit <number>', 'number of jobs, at most 100', '20')
    .action(async (model: string, flags: ModelFlags & { limit: string }) => {
      const { listJobs } = await import('./commands/jobs.ts')
      await listJobs(model, flags, configure(flags, deps))
    })
  withSource(jobs.command('watch').description('Follow a training job until it ends').argument('<job-id>', 'id of the job')).action(
    async (id: string, flags: ModelFlags) => {
      const { watchJob } = await import('./commands/jobs.ts')
      await untilInterrupt(async (signal) => {
        if (!(await watchJob(id, flags, { ...configure(flags, deps), signal }))) deps.setExitCode(1)
      })
    },
  )
}
