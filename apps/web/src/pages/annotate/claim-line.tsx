import { useMutation } from '@tanstack/react-query'
import { Failure } from '../../ui/states/failure.tsx'
import { Time } from '../../ui/time/time.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextButton } from '../../ui/text-button.tsx'
import { leftText } from './claim-rules.ts'
import type { ItemClaim } from './use-claim.ts'

/** Who holds the item and until when, in one line. */
export function ClaimLine({ claim, minutes }: { claim: ItemClaim; minutes: number }) {
  const release = useMutation({ mutationFn: () => claim.release() })
  const { state } = claim
  return (
    <span className="flex min-w-0 items-center gap-2 text-xs text-fg-3">
      {state.kind === 'held' && (
        <>
          <span className="num truncate">Reserved for you, {leftText(state.leftMs)} left</span>
          <TextButton disabled={release.isPending} onClick={() => release.mutate()}>
            Release
          </TextButton>
        </>
      )}
      {(state.kind === 'free' || state.kind === 'ended') && (
        <span className="truncate" data-cut="" data-tip={`Not reserved. ${howToReserve(minutes)}`}>
          Not reserved. {howToReserve(minutes)}
        </span>
      )}
      {state.kind === 'other' && (
        <span role="status" className="truncate">
          Reserved by {state.by} until <Time value={state.until} />
        </span>
      )}
      <Failure error={release.error} before="Not released." />
    </span>
  )
}

const howToReserve = (minutes: number) => `Start typing to reserve it for ${minutes.toLocaleString('en')} min.`

/** How the state of the reservation affects the answers, if the line does not make that clear. */
export function ClaimNotices({ claim: { state, problem } }: { claim: ItemClaim }) {
  return (
    <>
      {state.kind === 'other' && state.isLost && (
        <Notice tone="warning" title={`Your reservation ended. ${state.by} has the item now.`}>
          Your answers are kept.
        </Notice>
      )}
      {state.kind === 'ended' && (
        <Notice tone="warning" title="Your reservation ended">
          Your answers are kept. Start typing to reserve it again.
        </Notice>
      )}
      {state.kind === 'completed' && <Notice title="Enough people have reviewed this item">You can still review it.</Notice>}
      <Failure error={problem} before="Not reserved:" className="" />
    </>
  )
}
