import type { Span } from '@opentelemetry/api'
import { activeTrajectory } from '../capture/active-trajectory.ts'
import { runPendingWork } from '../context/pending-work.ts'
import { trajectoryAttributes } from '../spans/trajectory-span.ts'

/**
 * Writes the ids of the active trajectory on every span that starts in it, those of other instrumentations included, and ends the spans of model
 * calls that have ended before a flush. Give it to the tracer provider before the processor that exports, or to `register({ spanProcessors })` of
 * the exporter.
 */
export class TrajectorySpanProcessor {
  onStart(span: Pick<Span, 'setAttributes'>): void {
    const trajectory = activeTrajectory()
    if (trajectory) span.setAttributes(trajectoryAttributes(trajectory))
  }

  onEnd(): void {
    // Ended spans cannot be changed.
  }

  async forceFlush(): Promise<void> {
    runPendingWork()
  }

  async shutdown(): Promise<void> {
    runPendingWork()
  }
}
