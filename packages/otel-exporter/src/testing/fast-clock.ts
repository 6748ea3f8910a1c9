import { createSystemClock, type Clock } from '../clock.ts'

/** Real time, with minimal waits between attempts. */
export function createFastClock(random: () => number = () => 0.01): Clock {
  return { ...createSystemClock(), random }
}
