import { ServerResponse } from 'node:http'
import type { Watch } from './watch.ts'

const writes = /\/(create|complete|start|end)$/

/** Watches the answers to writes: `answer`, which is over when its last byte has been handed to the system. */
export function watchAnswers(watch: Watch): void {
  const { end } = ServerResponse.prototype
  ServerResponse.prototype.end = function endWatched(this: ServerResponse, ...args: Parameters<typeof end>) {
    const due = writes.test(this.req.url ?? '') ? watch.due('answer') : undefined
    if (due === 'before') watch.end()
    if (due === 'after') this.once('finish', () => watch.end())
    return end.apply(this, args)
  } as typeof end
}
