import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, ListTree } from 'lucide-react'
import { ButtonLink, IconLink } from '../ui/button-link.tsx'
import { ShapedButton } from '../ui/shaped-button.tsx'
import { Section } from './section.tsx'

/** Links need a router; here it has a single page. */
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })

export const Links = () => (
  <Section title="Links as buttons">
    <RouterContextProvider router={router as never}>
      <ButtonLink to="/" icon={ListTree}>
        Open trace
      </ButtonLink>
      <ButtonLink to="/" variant="primary">
        New run
      </ButtonLink>
      <ButtonLink to="/" variant="ghost">
        View all
      </ButtonLink>
      <IconLink to="/" label="Previous trace" keys="k" icon={ChevronUp} />
      <IconLink to="/" label="Next trace" keys="j" icon={ChevronDown} />
    </RouterContextProvider>
    <ShapedButton className="h-6 rounded-sm border border-line px-2 text-xs pressable">exact.match</ShapedButton>
    <ShapedButton className="h-6 rounded-sm border border-line px-2 text-xs" disabled>
      No scores
    </ShapedButton>
  </Section>
)
