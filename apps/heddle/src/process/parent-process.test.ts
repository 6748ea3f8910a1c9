import { expect, test } from 'vitest'
import { isRunByNpm } from './parent-process.ts'

test.each<[string | undefined, string, boolean]>([
  ["'heddle'", '/project/node_modules/.bin/heddle', true],
  ['heddle serve --port 7401', '/project/node_modules/.bin/heddle', true],
  ['node apps/heddle/dist/main.js serve', '/project/apps/heddle/dist/main.js', true],
  ['HEDDLE_PORT=7401 heddle serve > heddle.log', '/project/node_modules/.bin/heddle', true],
  ['npm run build && heddle serve', '/project/node_modules/.bin/heddle', true],
  [undefined, '/project/node_modules/.bin/heddle', false],
  ['heddle serve &', '/project/node_modules/.bin/heddle', false],
  ['heddle serve & sleep 1; heddle doctor', '/project/node_modules/.bin/heddle', false],
  ['(heddle serve &)', '/project/node_modules/.bin/heddle', false],
  ['heddle serve | tee heddle.log', '/project/node_modules/.bin/heddle', false],
  ['nohup heddle serve', '/project/node_modules/.bin/heddle', false],
  ['setsid heddle serve', '/project/node_modules/.bin/heddle', false],
  ['./start-everything.sh', '/project/node_modules/.bin/heddle', false],
  ['node .scripts/start.mjs', '/project/apps/heddle/dist/main.js', false],
])('a script %j of npm runs the command %s itself: %s', (script, command, expected) => {
  expect(isRunByNpm(script === undefined ? {} : { npm_lifecycle_script: script }, command)).toBe(expected)
})
