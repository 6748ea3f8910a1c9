import type { ListedRun } from '../tinker-store.ts'
import { createStepTrace, type StepTrace } from './step-trace.ts'
import type { TracingDeps } from './trace-call.ts'

/** The traces of the models that sessions hold. */
export interface StepTraces {
  /** That of a model which is held from now on, until it is closed. */
  open(run: ListedRun): StepTrace
  /** That of a model, if it is held here. */
  of(modelId: string): StepTrace | undefined
}

export function createStepTraces(deps: TracingDeps): StepTraces {
  const byModel = new Map<string, StepTrace>()
  return {
    open(run) {
      const trace = createStepTrace(run, deps)
      byModel.set(run.model_id, trace)
      return {
        ...trace,
        close() {
          trace.close()
          if (byModel.get(run.model_id) === trace) byModel.delete(run.model_id)
        },
      }
    },
    of: (modelId) => byModel.get(modelId),
  }
}
