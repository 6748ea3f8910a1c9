import { startTestApp } from '../../../testing/start-test-app.ts'

/** The service on real stores, with a clock that moves one second with each publication, and short words for what tests of objects do. */
export async function startObjectApp(kind: 'sqlite' | 'postgres', postgresUrl: string) {
  const time = { now: 1_700_000_000_000_000 }
  const app = await startTestApp({ ...(kind === 'postgres' && { postgresUrl }), service: { clock: () => time.now } })
  return {
    ...app,
    time,
    /** Publishes a value and returns its digest. */
    async publish(project_id: string, object_id: string, val: unknown): Promise<string> {
      time.now += 1_000_000
      return (await app.client.objects.create({ obj: { project_id, object_id, val } })).digest
    },
    /** Status of the answer, 200 for success. */
    async statusOf(work: Promise<unknown>): Promise<number> {
      return work.then(
        () => 200,
        (error: { status: number }) => error.status,
      )
    },
  }
}

export type ObjectApp = Awaited<ReturnType<typeof startObjectApp>>

/** A value whose class is `leaf`, built on `base`. */
export function anInstance(leaf: string, base: string, more: object = {}) {
  return { _type: leaf, _class_name: leaf, _bases: base === leaf ? ['Object', 'BaseModel'] : [base, 'Object', 'BaseModel'], ...more }
}

/** The value of an op. */
export function anOp(n: number) {
  return { _type: 'CustomWeaveType', weave_type: { type: 'Op' }, files: {}, n }
}
