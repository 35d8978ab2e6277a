import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { createQueryClient } from '#app/platform/browser/query-client.tsx'
import { reload } from './use-action.ts'
import { reloadChanged } from './use-live-data.ts'

const LEADS = '/api/leads'

async function shownQuery() {
  const client = createQueryClient(() => undefined)
  let loads = 0
  let isDown = false
  const queryFn = async () => {
    loads += 1
    if (isDown) throw new Error('The server did not answer.')
    return loads
  }
  const observer = new QueryObserver(client, { queryKey: [LEADS], queryFn })
  const leave = observer.subscribe(() => undefined)
  await expect.poll(() => observer.getCurrentResult().data).toBe(1)
  return { client, loads: () => loads, setDown: (next: boolean) => (isDown = next), leave }
}

test('an own change loads the list once: its event is about what that load already has, and a later event loads it again', async () => {
  const { client, loads, leave } = await shownQuery()
  const changedAt = performance.now()
  await reload(client, [LEADS])
  expect(loads()).toBe(2)
  await reloadChanged(client, [LEADS], changedAt)
  expect(loads()).toBe(2)
  await reloadChanged(client, [LEADS], performance.now())
  expect(loads()).toBe(3)
  leave()
})

test('an event that comes before the answer of an own change waits for it, and adds nothing', async () => {
  const { client, loads, leave } = await shownQuery()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const change = client
    .getMutationCache()
    .build(client, { mutationFn: async () => answered, onSuccess: async () => reload(client, [LEADS]) })
  const [sent, told] = [change.execute(undefined), reloadChanged(client, [LEADS], performance.now())]
  expect(loads()).toBe(1)
  answer()
  await Promise.all([sent, told])
  expect(loads()).toBe(2)
  leave()
})

test('an event loads again the data whose load since then has failed', async () => {
  const { client, loads, setDown, leave } = await shownQuery()
  const changedAt = performance.now()
  setDown(true)
  await reload(client, [LEADS])
  setDown(false)
  await reloadChanged(client, [LEADS], changedAt)
  expect([loads(), client.getQueryData([LEADS])]).toEqual([3, 3])
  leave()
})

test('an event loads again the data of the first load, which can be older than the document says', async () => {
  const { client, loads, leave } = await shownQuery()
  await reloadChanged(client, [LEADS], 0)
  expect(loads()).toBe(2)
  await reload(client, ['/api/other'])
  expect(loads()).toBe(2)
  leave()
})
