export { aBlock, aCallRow } from './builders.ts'
export { smallFolder } from './small-folder.ts'
export { engineEntry, startTestStores, type TestStoreOptions, type TestStores } from './test-stores.ts'
