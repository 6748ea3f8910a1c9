import { useMutation } from '@tanstack/react-query'
import { Failure } from '../../components/failure.tsx'
import { Time } from '../../components/time.tsx'
import { leftText } from './claim-rules.ts'
import type { ItemClaim } from './use-claim.ts'

/** Who holds the item, and until when. */
export function ClaimLine({ claim }: { claim: ItemClaim }) {
  const release = useMutation({ mutationFn: () => claim.release() })
  const { state, problem } = claim
  return (
    <>
      {state.kind === 'held' && (
        <p>
          You hold this item for {leftText(state.leftMs)} more, and longer while you work on it.{' '}
          <button type="button" disabled={release.isPending} onClick={() => release.mutate()}>
            Give it back
          </button>
        </p>
      )}
      {state.kind === 'free' && <p className="muted">Nobody holds this item. It is yours for a while once you enter something.</p>}
      {state.kind === 'other' && (
        <p role="status" className="notice">
          {state.isLost && 'Your reservation ended, and another has the item now. What you entered is kept. '}
          {state.by} holds this item until <Time value={state.until} />.
        </p>
      )}
      {state.kind === 'ended' && (
        <p role="status" className="notice">
          Your reservation ended. What you entered is kept, and nobody else holds the item: it is yours again once you enter something.
        </p>
      )}
      {state.kind === 'completed' && (
        <p role="status" className="notice">
          Enough people have reviewed this item. Each of them can reopen it, and nobody else for them: a review is taken back by who gave
          it. You can still review it too.
        </p>
      )}
      {problem !== undefined && (
        <p role="alert" className="problem">
          The item could not be reserved: {problem}
        </p>
      )}
      <Failure error={release.error} before="Not given back." />
    </>
  )
}
