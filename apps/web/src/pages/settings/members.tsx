import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../lib/use-project.ts'
import { SentenceCase } from '../../ui/texts/sentence-case.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { maxKeysOfMembers, membersKeysQuery } from './keys-queries.ts'
import { type Member, membersOf } from './members-of.ts'
import { SettingsSection } from './settings-section.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Badge } from '../../ui/badge.tsx'
import { type ListColumn, ListTable } from '../../ui/list-table.tsx'
import { roleText } from './role-text.ts'
import { TimeOrNever } from './time-or-never.tsx'
import { numberColumn } from '../../ui/table/column-kinds.tsx'

/** Who can use the project with a key, for its administrators. */
export function Members() {
  const { id } = useProject()
  const query = useQuery(membersKeysQuery(id))
  return (
    <SettingsSection
      title="Members"
      text="People with a key to this project. Keys with a wider scope than yours are not listed."
      query={query}
      adminsMay="see who can use it"
    >
      <ShowQuery query={query} what="the members of the project">
        {({ keys, hasMore }) => (
          <>
            <ListedMembers members={membersOf(keys, Date.now())} />
            {hasMore && (
              <Notice title={`The project has more keys than ${maxKeysOfMembers.toLocaleString('en')}: members are those of the newest.`} />
            )}
          </>
        )}
      </ShowQuery>
    </SettingsSection>
  )
}

const columns: ListColumn<Member>[] = [
  {
    id: 'user',
    title: 'User',
    cell: ({ user_id, is_own }) => (
      <span className="flex items-center gap-2">
        <span className="truncate font-medium" data-tip={user_id} data-cut="">
          {user_id}
        </span>{' '}
        {is_own && <Badge>You</Badge>}
      </span>
    ),
  },
  { id: 'role', title: 'Highest role', width: '240px', wraps: true, cell: ({ strongest }) => <SentenceCase text={roleText(strongest)} /> },
  numberColumn('keys', 'Keys', '88px', ({ keys }) => keys),
  { id: 'used', title: 'Last used', width: '168px', align: 'right', cell: ({ last_used_at }) => <TimeOrNever value={last_used_at} /> },
]

function ListedMembers({ members }: { members: readonly Member[] }) {
  return (
    <ListTable
      label="Members"
      framed
      empty="Nobody has a key that is limited to this project."
      rows={members}
      rowId={({ user_id }) => user_id}
      columns={columns}
    />
  )
}
