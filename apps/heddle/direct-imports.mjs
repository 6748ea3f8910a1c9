import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'

/** Lists in braces, as the formatter of this repository writes them. */
const importList = /^import \{([^}]*)\} from '(@heddle\/[^']+)'/gm
const exportList = /^export \{([^}]*)\} from '([^']+)'/gm

/**
 * Lets a name that a package of the workspace exports be imported from the module that declares it. esbuild puts all modules that an index names into the
 * same pieces of the bundle, so that whatever imports one of them loads all; `sideEffects` does not change that. Lines stay where they are.
 */
export const directImports = {
  name: 'direct-imports',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (path.includes(`${sep}node_modules${sep}`)) return undefined
      return { contents: withDirectImports(await readFile(path, 'utf8'), path), loader: 'ts' }
    })
  },
}

function withDirectImports(text, path) {
  return text.replace(importList, (statement, list, specifier) => {
    const exported = exportsOf(createRequire(path).resolve(specifier))
    const names = namesIn(list)
    const direct = names.map(({ imported, local }) => {
      const found = exported.get(imported)
      return `import { ${found?.name ?? imported} as ${local} } from '${found?.path ?? specifier}'`
    })
    return direct.join('; ') + '\n'.repeat(statement.split('\n').length - 1)
  })
}

const known = new Map()

/** Where each value that an index exports is declared, by its name there. Those that it declares itself are not named. */
function exportsOf(index) {
  if (!known.has(index))
    known.set(index, new Map([...readFileSync(index, 'utf8').matchAll(exportList)].flatMap(([, list, from]) => declared(list, from))))
  return known.get(index)

  function declared(list, from) {
    const path = from.startsWith('.') ? join(dirname(index), from) : createRequire(index).resolve(from)
    return namesIn(list).map(({ imported, local }) => [local, exportsOf(path).get(imported) ?? { path, name: imported }])
  }
}

/** The values of a list in braces; types are left out. */
function namesIn(list) {
  const items = list
    .replaceAll(/\/\*.*?\*\/|\/\/.*$/gms, '')
    .split(',')
    .map((item) => item.trim())
  return items
    .filter((item) => item !== '' && !item.startsWith('type '))
    .map((item) => {
      const [imported, local = imported] = item.split(' as ')
      return { imported, local }
    })
}
