export { createTestClient, startTestApp, type TestApp, type TestClient, type TestServer } from './start-test-app.ts'
export { type ReceivedMessage, type Receiver, respondWith, startReceiver } from '../resources/webhooks/testing/start-receiver.ts'
