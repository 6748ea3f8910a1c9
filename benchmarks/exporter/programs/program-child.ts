import { readFileSync } from 'node:fs'
import { candidates } from '../candidates/all-candidates.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { endProgram } from './end-program.ts'
import { measureCpu } from './measure-cpu.ts'
import { measureStalls } from './measure-stalls.ts'
import { outlastOutage } from './outlast-outage.ts'
import type { ProgramPlan, SpanTemplate } from './program-plan.ts'

const plan = JSON.parse(process.argv[2] ?? '{}') as ProgramPlan
const { start } = await candidates[plan.candidate]()
const candidate = start({ serverUrl: plan.serverUrl, spoolFolder: plan.spoolFolder })
const endSpan = createSpans(candidate, JSON.parse(readFileSync(plan.spansFile, 'utf8')) as SpanTemplate[])
const result = await perform(plan.work)
if (result !== undefined) {
  await candidate.shutdown().catch(() => undefined)
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0))
}

function perform(work: ProgramPlan['work']): Promise<object> | undefined {
  if (work.kind === 'cpu') return measureCpu(work, { endSpan, flush: () => candidate.flush() })
  if (work.kind === 'stalls') return measureStalls(work, endSpan)
  if (work.kind === 'outage') return outlastOutage(work, { endSpan, flush: () => candidate.flush() })
  return endProgram(work, endSpan)
}

/** Starts a span and ends it. */
function createSpans({ tracer }: Candidate, templates: readonly SpanTemplate[]): () => void {
  let at = 0
  return () => {
    const template = templates[at++ % templates.length]
    if (template !== undefined) tracer.startSpan(template.name, { attributes: template.attributes }).end()
  }
}
