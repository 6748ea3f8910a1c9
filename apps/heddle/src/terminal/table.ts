import Table from 'cli-table3'

/** A table without frames: a heading, then rows. Columns named in `right` are set flush right. */
export function formatTable({ head, rows, right = [] }: { head: string[]; rows: string[][]; right?: string[] }): string {
  const table = new Table({
    head,
    colAligns: head.map((name) => (right.includes(name) ? 'right' : 'left')),
    chars: noFrame,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
  })
  table.push(...rows)
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

const noFrame = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'])
    .map((name) => [name, '']),
)
