import { timeSlices, type TimeSlices } from './time-slices.ts'

/** Work that can stop between its steps, each of which takes time in proportion to one part of a request. It returns what it made. */
export type Steps<Made> = Generator<undefined, Made>

/** Runs all steps without a pause: for small work, or work in a separate thread. */
export function atOnce<Made>(steps: Steps<Made>): Made {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Runs the steps, yielding to the event loop if they take longer than a slice. */
export async function runInSlices<Made>(steps: Steps<Made>, slices: TimeSlices = timeSlices): Promise<Made> {
  const pace = slices.begin()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    const turn = pace()
    if (turn) await turn
  }
}
