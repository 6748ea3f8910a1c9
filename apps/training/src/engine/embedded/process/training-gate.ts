/** Stops the threads that help with training between two blocks of their products. Shared memory, which each of them gets. */
export type TrainingGate = Int32Array

const [open, closed] = [0, 1]

export function createTrainingGate(): TrainingGate {
  return new Int32Array(new SharedArrayBuffer(4))
}

export function closeGate(gate: TrainingGate): void {
  Atomics.store(gate, 0, closed)
}

export function openGate(gate: TrainingGate): void {
  Atomics.store(gate, 0, open)
  Atomics.notify(gate, 0)
}

export const isOpen = (gate: TrainingGate): boolean => Atomics.load(gate, 0) === open

/** Returns at once while the gate is open; otherwise blocks this thread until it opens. */
export function passGate(gate: TrainingGate): void {
  while (!isOpen(gate)) Atomics.wait(gate, 0, closed)
}
