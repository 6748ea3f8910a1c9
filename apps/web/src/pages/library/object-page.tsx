import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Code, History, SearchX, SquareTerminal } from 'lucide-react'
import { client } from '../../lib/server/client.ts'
import { NotFound } from '../../ui/states/page-error.tsx'
import { useProject } from '../../lib/use-project.ts'
import { formatBytes } from '../../lib/texts/byte-size.ts'
import type { MorePages } from '../../ui/table/more-button.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button-link.tsx'
import { Card, EmptyState, Facts } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { AliasHistory } from './alias-history.tsx'
import { CallsOfVersion } from '../../features/library/calls-of-version.tsx'
import { findKind, type LibraryKind } from '../../features/library/library-kinds.ts'
import { type ObjectVersion, versionsQuery } from '../../features/library/library-queries.ts'
import { type ObjectTab, objectTabs } from './object-tabs.ts'
import { MeasuredAgainst } from './measured-against.tsx'
import { ObjectsList } from './objects-list.tsx'
import { isInProduction, PromoteButton } from './promote-button.tsx'
import { UseInCode } from './use-in-code.tsx'
import { VersionLabels } from '../../features/library/version-labels.tsx'
import { usePromptScores } from './use-prompt-scores.ts'
import { VersionMenu } from './version-menu.tsx'
import { VersionText } from './version-text.tsx'
import { VersionsList } from './versions-list.tsx'

const from = '/$entity/$project/$kind/$object'

/** An object of the library next to the list: a version, its differences from another, and the calls made with it. */
export function ObjectPage() {
  const project = useProject()
  const { kind, object } = useParams({ from })
  const { version } = useSearch({ from })
  const query = useInfiniteQuery(versionsQuery(client, project, { name: object, isOp: kind === 'ops' }))
  const known = findKind(kind)
  if (!known) return <NotFound />
  return (
    <div data-flush="" className="flex h-full min-h-0">
      <ObjectsList kind={known} shown={object} />
      <div className="flex min-w-0 grow flex-col">
        <ShowQuery query={{ ...query, data: query.data?.pages.flat() }} what="versions">
          {(versions) => {
            const shown =
              versions.find(({ digest }) => digest === version) ?? versions.find(({ is_latest }) => is_latest === 1) ?? versions[0]
            if (!shown)
              return (
                <EmptyState icon={SearchX} title={`No ${known.one} named "${object}"`}>
                  It may have been deleted or renamed.
                </EmptyState>
              )
            return (
              <>
                {version !== undefined && version !== shown.digest && (
                  <Notice className="m-3" tone="warning" title={`Version ${version} is not among those loaded; the latest is shown`} />
                )}
                <Version kind={known} name={object} versions={versions} shown={shown} more={query} />
              </>
            )
          }}
        </ShowQuery>
      </div>
    </div>
  )
}

interface VersionProperties {
  kind: LibraryKind
  name: string
  versions: readonly ObjectVersion[]
  shown: ObjectVersion
  more: MorePages
}

const valueTitles: Partial<Record<LibraryKind['path'], string>> = { ops: 'Source code', prompts: 'Prompt' }

function Version({ kind, name, versions, shown, more }: VersionProperties) {
  const project = useProject()
  const navigate = useNavigate({ from })
  const { tab = 'value' } = useSearch({ from })
  const isOp = kind.path === 'ops'
  const isPrompt = kind.path === 'prompts'
  const isCurrent = isInProduction(shown)
  const scores = usePromptScores(isPrompt ? name : undefined, versions)
  const production = versions.find(isInProduction)
  const before = versions.find(({ version_index }) => version_index < shown.version_index)
  const playground = isPrompt && (
    <ButtonLink
      {...(isCurrent && { variant: 'primary' })}
      icon={SquareTerminal}
      to="/$entity/$project/playground"
      params={project}
      search={{ prompt: `${name}:${shown.digest}` }}
    >
      Open in playground
    </ButtonLink>
  )
  return (
    <>
      <PageHead
        trail={[
          <Link key="kind" to="/$entity/$project/$kind" params={{ ...project, kind: kind.path }}>
            {kind.title}
          </Link>,
        ]}
        title={name}
        state={
          <>
            <Badge>v{shown.version_index}</Badge>
            <VersionLabels aliases={shown.aliases?.filter((alias) => alias !== 'latest') ?? null} tags={shown.tags} />
          </>
        }
        actions={
          !isOp && (
            <>
              {!isCurrent && playground}
              <VersionMenu key={shown.digest} name={name} shown={shown} />
              {isCurrent ? playground : isPrompt && <PromoteButton name={name} versions={versions} shown={shown} />}
            </>
          )
        }
      />
      <div className="flex min-h-0 grow max-md:block max-md:overflow-auto">
        <div className="flex min-h-0 min-w-0 grow flex-col">
          <Tabs
            label="Parts of the object"
            value={tab}
            onChange={(value) => void navigate({ to: '.', search: (search) => ({ ...search, tab: tabOf(value) }), replace: true })}
            tabs={[
              { id: 'value', label: valueTitles[kind.path] ?? 'Value' },
              { id: 'code', label: 'Use in code', icon: Code },
              { id: 'history', label: 'Alias history', icon: History },
            ]}
          >
            <div className="flex flex-col gap-3 p-4">
              {tab === 'value' && (
                <>
                  <VersionText name={name} isOp={isOp} versions={versions} shown={shown} before={before} />
                  {scores && production && production !== shown && <MeasuredAgainst state={scores} shown={shown} production={production} />}
                  <div className="grid grid-cols-1 gap-3 xl:grid-cols-2">
                    <AboutVersion shown={shown} />
                    <Card title="Where used">
                      <CallsOfVersion name={name} digest={shown.digest} isOp={isOp} />
                    </Card>
                  </div>
                </>
              )}
              {tab === 'code' && <UseInCode name={name} digest={shown.digest} isOp={isOp} />}
              {tab === 'history' && <AliasHistory name={name} kind={kind.path} versions={versions} />}
            </div>
          </Tabs>
        </div>
        <VersionsList versions={versions} shown={shown} before={before} more={more} scores={scores} />
      </div>
    </>
  )
}

const tabOf = (value: string): ObjectTab | undefined => objectTabs.find((one) => one === value && one !== 'value')

const AboutVersion = ({ shown: { leaf_object_class, size_bytes, digest } }: { shown: ObjectVersion }) => (
  <Card title="About">
    <Facts
      rows={[
        ['Class', leaf_object_class ?? false],
        ['Size', size_bytes === null ? '–' : formatBytes(size_bytes)],
        [
          'Digest',
          <span key="digest" className="mono" data-tip={digest}>
            {digest}
          </span>,
        ],
      ]}
    />
  </Card>
)
