import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import type { SampledToken } from './read-trajectory.ts'
import { likelihoodOf, probabilityText, summarise } from './token-text.ts'

const shownTokens = 2_000

/** Sampled text, token by token, marked by probability. If there are many tokens, the first part, with a button for the rest. */
export function SampledText({ tokens, label }: { tokens: readonly SampledToken[]; label: string }) {
  const [showsAll, setShowsAll] = useState(false)
  const summary = summarise(tokens)
  const shown = showsAll ? tokens : tokens.slice(0, shownTokens)
  return (
    <div>
      <div
        tabIndex={0}
        role="region"
        aria-label={label}
        className="mono max-h-80 overflow-auto leading-7 whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {shown.map((token, at) => (
          // Tokens keep their order, so the index is a stable key.
          <span key={at} className={`token ${likelihoodOf(token)}`} data-tip={`${JSON.stringify(token.token)}: ${probabilityText(token)}`}>
            {token.token}
          </span>
        ))}
      </div>
      {shown.length < tokens.length && (
        <Button onClick={() => setShowsAll(true)}>Show the other {(tokens.length - shown.length).toLocaleString('en')} tokens</Button>
      )}
      <p className="mt-1 flex flex-wrap items-center gap-2 text-2xs text-fg-3">
        {summary && (
          <>
            <span aria-hidden className="token-scale h-2 w-24 rounded-full" />
            certain to unlikely ·
          </>
        )}
        <span>
          {summary
            ? `${tokens.length.toLocaleString('en')} tokens, mean log-probability ${Number(summary.mean.toPrecision(3))}, least likely ${JSON.stringify(summary.least.token)} at ${probabilityText(summary.least)}`
            : `${tokens.length.toLocaleString('en')} tokens without log-probabilities`}
        </span>
      </p>
    </div>
  )
}
