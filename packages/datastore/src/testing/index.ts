export { aBlock, aCallRow } from './builders.ts'
export { engineEntry, startTestStores, type TestStoreOptions, type TestStores } from './test-stores.ts'
