import { FlaskConical, Plus, SearchX, X } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { EmptyState, Skeleton } from '../ui/card.tsx'
import { Notice } from '../ui/notice.tsx'
import { Section } from './section.tsx'

const tones = ['info', 'ok', 'warning', 'error'] as const

export function States() {
  return (
    <>
      <Section title="Notices">
        {tones.map((tone) => (
          <Notice key={tone} tone={tone} title="312 calls have no price" actions={<Button>Set price</Button>} className="w-full">
            They are left out of the totals.
          </Notice>
        ))}
      </Section>
      <Section title="Empty">
        <EmptyState icon={FlaskConical} title="No evaluations yet" actions={<Button icon={Plus}>New run</Button>}>
          Run a dataset through your agent and score the answers.
        </EmptyState>
        <EmptyState icon={SearchX} title="No traces match" actions={<Button icon={X}>Clear filters</Button>} />
      </Section>
      <Section title="Loading">
        <div role="status" aria-label="Loading traces" className="flex w-full flex-col gap-2">
          {[60, 80, 50].map((width) => (
            <span key={width} className="flex h-9 items-center gap-3 border-b border-line">
              <Skeleton className="size-4 rounded-full" />
              <Skeleton className="h-2.5 w-60" />
            </span>
          ))}
        </div>
      </Section>
    </>
  )
}
