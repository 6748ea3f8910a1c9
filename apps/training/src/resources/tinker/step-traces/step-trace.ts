import type { ListedRun } from '../tinker-store.ts'
import type { CallOutbox } from './call-outbox.ts'
import { traceCall, type TracedOutcome, type TracedRequest, type TracingDeps } from './trace-call.ts'

/** Requests of a step that are recorded; the rest is counted in its root. */
export const maxCallsOfStep = 1_000

/** A batch whose loss was computed. */
export interface TracedLoss {
  loss: number
  targets: number
  sequences: number
}

/**
 * The trace of the step that a model is at: the requests up to one that changes its weights, below a root with what they come to. The traces of a model
 * are a thread, and each names the model as its run.
 */
export interface StepTrace {
  /** Does the work, and records how it ended. Does not wait for that to be stored. */
  call<T>(request: TracedRequest, work: () => Promise<T>, describe: (result: T) => TracedOutcome): Promise<T>
  /** Counts a batch whose gradients were added in the step. */
  learn(loss: TracedLoss): void
  /** Ends the step. */
  endStep(facts: { grad_norm: number | null; learning_rate: number }): void
  /** Ends a step that changed no weights, if it has requests. */
  close(): void
}

interface OpenStep {
  trace_id: string
  root_id: string
  started_at: number
  calls: number
  /** Requests among them that are not recorded. */
  untraced: number
  loss: TracedLoss
}

export function createStepTrace(run: ListedRun, { outbox, clock, newId }: TracingDeps): StepTrace {
  const modelPath = `${run.project_id}/${run.model_name}`
  let step = 1
  let open: OpenStep | null = null

  const placeOf = () => ({ thread_id: run.id, user_id: run.created_by, run: { id: modelPath, step } })
  const begin = (): OpenStep => ({
    trace_id: newId(),
    root_id: newId(),
    started_at: clock(),
    calls: 0,
    untraced: 0,
    loss: { loss: 0, targets: 0, sequences: 0 },
  })

  /** Does nothing if there were no requests since the last step. */
  function end(facts: Record<string, unknown>): void {
    if (open === null) return
    const { trace_id, root_id: id, started_at, calls, untraced, loss } = open
    outbox.add(run.project_id, {
      ...placeOf(),
      id,
      trace_id,
      parent_id: null,
      op_name: 'tinker.step',
      started_at,
      ended_at: clock(),
      inputs: { model: modelPath, base_model: run.base_model, step },
      output: { ...summaryOf(loss), ...facts, requests: calls, ...(untraced > 0 && { untraced }) },
      exception: null,
      usage: null,
    })
    open = null
  }

  return {
    call(request, work, describe) {
      open ??= begin()
      open.calls += 1
      const ofStep = open
      if (ofStep.calls > maxCallsOfStep) {
        ofStep.untraced += 1
        return work()
      }
      const { trace_id, root_id: parent_id } = ofStep
      const place = { ...placeOf(), project_id: run.project_id, trace_id, parent_id }
      const add: CallOutbox['add'] = (projectId, call) => {
        const isTaken = outbox.add(projectId, call)
        if (!isTaken) ofStep.untraced += 1
        return isTaken
      }
      return traceCall({ ...request, place }, { work, describe }, { outbox: { add }, clock, newId })
    },
    learn({ loss, targets, sequences }) {
      if (open === null) return
      const { loss: sum } = open
      open.loss = { loss: sum.loss + loss, targets: sum.targets + targets, sequences: sum.sequences + sequences }
    },
    endStep(facts) {
      end({ ...facts, is_skipped: facts.grad_norm === null })
      step += 1
    },
    close: () => end({ is_skipped: true }),
  }
}

/** Losses that clients divide by something are shown by target. */
function summaryOf({ loss, targets, sequences }: TracedLoss): Record<string, unknown> {
  return sequences === 0 ? {} : { loss: finite(loss / targets), loss_sum: finite(loss), targets, sequences }
}

/** JSON has no other numbers. */
export const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)
