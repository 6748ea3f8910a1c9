import type { ProgramPlan } from './program-plan.ts'

type EndWork = Extract<ProgramPlan['work'], { kind: 'end' }>

/** Ends spans, then the program: by itself, by `process.exit()`, or by waiting for a signal. */
export function endProgram({ spans, how }: EndWork, endSpan: () => void): undefined {
  for (let span = 0; span < spans; span++) endSpan()
  if (how === 'exit') process.exit(0)
  if (how === 'signal') {
    setInterval(() => undefined, 1000)
    process.stdout.write('ready\n')
  }
}
