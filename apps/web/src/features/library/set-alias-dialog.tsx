import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { client } from '../../lib/server/client.ts'
import { useProject } from '../../lib/use-project.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { explain } from '../../ui/states/query-problem.tsx'
import { versionsQuery } from './library-queries.ts'
import { type AliasedVersion, useMoveAlias } from './use-move-alias.ts'

const maxLength = 128

/** Gives a version an alias, which moves there if another version has it. */
export function SetAliasDialog({ version, onClose }: { version: AliasedVersion; onClose: () => void }) {
  const { name, index } = version
  const listId = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const versions = useInfiniteQuery(versionsQuery(client, useProject(), { name, isOp: false })).data?.pages.flat() ?? []
  const move = useMoveAlias(name)
  const alias = text.trim()
  const holder = versions.find(({ aliases }) => aliases?.includes(alias))
  const known = [...new Set(versions.flatMap(({ aliases }) => aliases ?? []))].filter((one) => one !== 'latest')
  return (
    <FormDialog
      onClose={onClose}
      title="Set alias"
      description={`${name} v${index}`}
      initialFocus={input}
      action="Set alias"
      isReady={alias !== ''}
      isSending={move.isPending}
      onSubmit={() => move.mutate({ alias, to: version, from: holder?.digest }, { onSuccess: onClose })}
      className="pb-4"
    >
      <TextField
        label="Alias"
        help={holder ? `Moves here from v${holder.version_index}` : 'Programs read the version by this name'}
        {...(move.error && { error: explain(move.error) })}
        ref={input}
        list={listId}
        placeholder="staging"
        maxLength={maxLength}
        value={text}
        onChange={(next) => {
          move.reset()
          setText(next)
        }}
      />
      <datalist id={listId}>
        {known.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </FormDialog>
  )
}
