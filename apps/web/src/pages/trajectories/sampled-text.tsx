import { useState } from 'react'
import type { SampledToken } from './read-trajectory.ts'
import { likelihoodOf, probabilityText, summarise } from './token-text.ts'

const shownTokens = 2_000

/** What was sampled, token by token, marked by how likely each was. Of many tokens the first part, and a button for the rest. */
export function SampledText({ tokens, label }: { tokens: readonly SampledToken[]; label: string }) {
  const [showsAll, setShowsAll] = useState(false)
  const summary = summarise(tokens)
  const shown = showsAll ? tokens : tokens.slice(0, shownTokens)
  return (
    <div className="long-text">
      <pre tabIndex={0} role="region" aria-label={label}>
        {shown.map((token, at) => (
          // Tokens keep their places.
          <span key={at} className={`token ${likelihoodOf(token)}`} title={`${JSON.stringify(token.token)}: ${probabilityText(token)}`}>
            {token.token}
          </span>
        ))}
      </pre>
      {shown.length < tokens.length && (
        <button type="button" onClick={() => setShowsAll(true)}>
          Show the other {(tokens.length - shown.length).toLocaleString('en')} tokens
        </button>
      )}
      <p className="muted">
        {summary
          ? `${tokens.length.toLocaleString('en')} tokens, mean log-probability ${Number(summary.mean.toPrecision(3))}; the least likely is ${JSON.stringify(summary.least.token)} with ${probabilityText(summary.least)}`
          : `${tokens.length.toLocaleString('en')} tokens without log-probabilities`}
      </p>
    </div>
  )
}
