import { Session } from 'node:inspector/promises'

/** Collects all garbage now, through the debugging protocol of Node. */
export async function collectGarbage(): Promise<void> {
  const session = new Session()
  session.connect()
  await session.post('HeapProfiler.collectGarbage')
  session.disconnect()
}
