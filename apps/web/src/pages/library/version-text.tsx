import { parseExactJson } from '@heddle/json/exact'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { exactClient } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { LongText } from '../../ui/texts/long-text.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { Select } from '../../ui/select.tsx'
import { Segmented } from '../../ui/tabs.tsx'
import { type ObjectVersion, versionTextQuery } from '../../features/library/library-queries.ts'
import { piecesOfPrompt } from '../../features/playground/draft/variables.ts'
import { Pieces } from '../../features/playground/pieces.tsx'
import { messagesOfPrompt, type PromptMessage, variablesOf } from './prompt-messages.ts'
import { ShowDiff } from '../../features/diff/show-diff.tsx'

const from = '/$entity/$project/$kind/$object'

interface Properties {
  name: string
  isOp: boolean
  versions: readonly ObjectVersion[]
  shown: ObjectVersion
  /** The version that changes are shown since, unless the address names another. */
  before: ObjectVersion | undefined
}

/** The content of a version, or its differences from another. */
export function VersionText({ name, isOp, versions, shown, before }: Properties) {
  const project = useProject()
  const { against } = useSearch({ from })
  const other = versions.find(({ digest }) => digest === against && digest !== shown.digest)
  const text = useQuery(versionTextQuery(exactClient, project, { name, digest: shown.digest, isOp }))
  const otherText = useQuery({
    ...versionTextQuery(exactClient, project, { name, digest: other?.digest ?? '', isOp }),
    enabled: other !== undefined,
  })
  return (
    <>
      {versions.length > 1 && <ChooseView versions={versions} shown={shown} other={other} before={before} />}
      {other ? (
        <ShowQuery query={otherText} what={`v${other.version_index}`}>
          {(older) => (
            <ShowQuery query={text} what={`v${shown.version_index}`}>
              {(newer) => <Changes older={older} newer={newer} isOp={isOp} />}
            </ShowQuery>
          )}
        </ShowQuery>
      ) : (
        <ShowQuery query={text} what={`v${shown.version_index}`}>
          {(value) => <Value value={value} isOp={isOp} />}
        </ShowQuery>
      )}
    </>
  )
}

interface ViewProperties extends Pick<Properties, 'versions' | 'shown' | 'before'> {
  other: ObjectVersion | undefined
}

function ChooseView({ versions, shown, other, before }: ViewProperties) {
  const navigate = useNavigate({ from })
  const setAgainst = (digest: string | undefined) =>
    void navigate({ to: '.', search: (search) => ({ ...search, against: digest }), replace: true })
  const others = versions.filter(({ digest }) => digest !== shown.digest)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Segmented
        label="Show"
        value={other ? 'changes' : 'text'}
        onChange={(view) => setAgainst(view === 'changes' ? (before ?? others[0])?.digest : undefined)}
        items={[
          { value: 'text', label: 'Text' },
          { value: 'changes', label: 'Changes' },
        ]}
      />
      {other && (
        <Select
          label="Since"
          inside
          choices={others.map(({ digest, version_index }) => ({ value: digest, label: `v${version_index}` }))}
          value={other.digest}
          onChange={setAgainst}
        />
      )}
    </div>
  )
}

/** The value of a text of JSON. */
function parsed(text: string): unknown {
  try {
    return parseExactJson(text)
  } catch {
    return undefined
  }
}

function Changes({ older, newer, isOp }: { older: string; newer: string; isOp: boolean }) {
  const [before, after] = [older, newer].map((text) => (isOp ? undefined : messagesOfPrompt(parsed(text))))
  if (!before || !after)
    return (
      <div className="overflow-hidden rounded-lg border border-line">
        <ShowDiff before={older} after={newer} />
      </div>
    )
  return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => {
    const [one, other] = [before[at], after[at]]
    return (
      // Messages keep their order, so the index is a stable key.
      <Block key={String(at)} role={other?.role ?? one?.role ?? ''}>
        {one?.text === other?.text && other ? (
          <Text text={other.text} />
        ) : (
          <ShowDiff before={one?.text ?? ''} after={other?.text ?? ''} show={withVariables} />
        )}
      </Block>
    )
  })
}

function Value({ value, isOp }: { value: string; isOp: boolean }) {
  if (value === '') return <p className="text-fg-3">No source code for this op</p>
  if (isOp) return <CodeBlock code={value} label="Source code" />
  const json = parsed(value)
  const messages = messagesOfPrompt(json)
  if (!messages) return typeof json === 'object' ? <JsonView value={json} label="Value" /> : <LongText text={value} label="Value" />
  const variables = variablesOf(messages)
  return (
    <>
      {messages.map((message, at) => (
        // Messages keep their order, so the index is a stable key.
        <Block key={String(at)} role={message.role} copied={message.text}>
          <Text text={message.text} />
        </Block>
      ))}
      {variables.length > 0 && (
        <Card title="Variables">
          <ul className="flex flex-wrap gap-2">
            {variables.map((name) => (
              <li key={name} className="mono">
                <Pieces pieces={[{ text: name, isVariable: true }]} />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  )
}

const roleNames = new Map([
  ['system', 'System'],
  ['developer', 'Developer'],
  ['user', 'User'],
  ['assistant', 'Assistant'],
  ['tool', 'Tool'],
  ['prompt', 'Text'],
])

function Block({ role, copied, children }: { role: PromptMessage['role']; copied?: string; children: ReactNode }) {
  const title = roleNames.get(role) ?? role.slice(0, 80)
  return (
    <section aria-label={title} className="overflow-hidden rounded-lg border border-line">
      <header className="flex h-9 items-center gap-2 border-b border-line bg-sunken pr-1 pl-3">
        <h3 className="grow truncate text-xs font-semibold">{title}</h3>
        {copied !== undefined && <CopyButton text={copied} label={`Copy ${title.toLowerCase()}`} />}
      </header>
      {children}
    </section>
  )
}

const piecesAtOnce = 2_000

/** A text whose variables are marked; a very long one as it is. */
function Text({ text }: { text: string }) {
  const pieces = piecesOfPrompt(text)
  if (pieces.length > piecesAtOnce) return <LongText text={text} label="Text" />
  return (
    <p className="mono px-4 py-3 leading-6 whitespace-pre-wrap wrap-anywhere">
      <Pieces pieces={pieces} />
    </p>
  )
}

/** A part of a line that both versions have. */
const withVariables = (text: string) => <Pieces pieces={piecesOfPrompt(text)} />
