import { Progress } from '../../../ui/badge.tsx'
import { Failure } from '../../../ui/states/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { type Outcome, partSize } from './in-parts.ts'

/** How far an action is. Nothing where all is done in one part. */
export function PartsProgress({ label, done, all }: { label: string; done: number; all: number }) {
  if (all <= partSize) return null
  return (
    <div className="mt-3 flex items-center gap-3">
      <div className="grow">
        <Progress label={label} value={done / all} />
      </div>
      <span className="num text-xs text-fg-2">{`${done.toLocaleString('en')} of ${all.toLocaleString('en')}`}</span>
    </div>
  )
}

/** Reports how far a stopped or failed action got. Nothing where all was done. `verb` is such as `added`. */
export function PartsProblem({ outcome, all, verb }: { outcome: Outcome<unknown>; all: number; verb: string }) {
  const { done, isStopped, error } = outcome
  if (!isStopped && error === undefined) return null
  const none = all === 1 ? 'The call was not' : 'No call was'
  const what = `${done === 0 ? none : `${done.toLocaleString('en')} of ${all.toLocaleString('en')} calls were`} ${verb}.`
  return isStopped ? <Notice tone="warning" title={`Stopped. ${what}`} className="mt-3" /> : <Failure error={error} before={what} />
}
