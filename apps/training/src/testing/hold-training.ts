import type { TrainingApp } from './start-training-app.ts'

/** Training waits before its first gradient step until it is released. */
export function holdTraining({ engine }: Pick<TrainingApp, 'engine'>) {
  let letGo = () => {}
  let onHeld = () => {}
  const held = new Promise<void>((resolve) => (onHeld = resolve))
  const gate = new Promise<void>((resolve) => (letGo = resolve))
  engine.hooks.beforeStep = async (_, signal) => {
    onHeld()
    await Promise.race([gate, new Promise((resolve) => void signal.addEventListener('abort', resolve, { once: true }))])
    signal.throwIfAborted()
  }
  return {
    /** Resolves when training waits. */
    held,
    release() {
      delete engine.hooks.beforeStep
      letGo()
    },
  }
}
