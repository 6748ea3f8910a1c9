import { expect, test } from 'vitest'
import type { ListedRun } from '../tinker-store.ts'
import { createStepTrace } from './step-trace.ts'
import type { TracedCall } from './traced-call.ts'

const run = { id: 'run-1', project_id: 'acme/p', model_name: 'm', model_id: 'id', base_model: 'tiny', created_by: 'u' } as ListedRun

/** A step trace whose outbox has room for a call while `hasRoom`. */
function aTrace() {
  const calls: TracedCall[] = []
  const outbox = { hasRoom: true, add: (_project: string, call: TracedCall) => outbox.hasRoom && calls.push(call) > 0 }
  let ids = 0
  const trace = createStepTrace(run, { outbox, clock: () => 1, newId: () => String((ids += 1)) })
  const pass = () =>
    trace.call(
      { op: 'forward_backward', inputs: {} },
      async () => 1,
      () => ({ output: {} }),
    )
  return { trace, outbox, calls, pass, end: () => trace.endStep({ grad_norm: 1, learning_rate: 0.1 }) }
}

test('requests that find no room to wait for the store are counted in the root of their step', async () => {
  const { outbox, calls, pass, end } = aTrace()
  await pass()
  outbox.hasRoom = false
  await pass()
  await pass()
  outbox.hasRoom = true
  end()
  await pass()
  end()
  const roots = calls.filter(({ parent_id }) => parent_id === null)
  expect(roots.map(({ output }) => [output?.['requests'], output?.['untraced']])).toEqual([
    [3, 2],
    [1, undefined],
  ])
  expect(calls).toHaveLength(4)
})

test('a request that ends after its step is counted in none', async () => {
  const { trace, outbox, calls, pass, end } = aTrace()
  let finish = (): void => undefined
  const late = trace.call(
    { op: 'sample', inputs: {} },
    () => new Promise<void>((resolve) => (finish = resolve)),
    () => ({ output: {} }),
  )
  end()
  outbox.hasRoom = false
  finish()
  await late
  outbox.hasRoom = true
  await pass()
  end()
  expect(calls.filter(({ op_name }) => op_name === 'tinker.step').map(({ output }) => output?.['untraced'])).toEqual([undefined, undefined])
})
