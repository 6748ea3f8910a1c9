import { createSystemClock, type Clock } from '../sending/clock.ts'

/** Real time, with waits between attempts as short as chance can make them. */
export function createFastClock(random: () => number = () => 0.01): Clock {
  return { ...createSystemClock(), random }
}
