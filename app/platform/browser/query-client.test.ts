import { QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { announceChange } from './data-changed.ts'
import { createQueryClient, followChanges } from './query-client.tsx'

test('an enquiry that was sent makes the contacts list stale, and nothing else', () => {
  const client = createQueryClient(() => undefined)
  const end = followChanges(client)
  for (const url of ['/api/contacts?limit=50', '/api/consultations']) client.setQueryData([url], [])
  announceChange('/api/contacts')

  const isStale = (url: string) => client.getQueryState([url])?.isInvalidated
  expect(isStale('/api/contacts?limit=50')).toBe(true)
  expect(isStale('/api/consultations')).toBe(false)

  end()
  client.setQueryData(['/api/contacts?limit=50'], [])
  announceChange('/api/contacts')
  expect(isStale('/api/contacts?limit=50')).toBe(false)
})

test('data that changes while its first load is on its way is loaded again', async () => {
  const client = createQueryClient(() => undefined)
  const end = followChanges(client)
  const answers: ((versions: string[]) => void)[] = []
  const queryFn = async () => new Promise<string[]>((resolve) => void answers.push(resolve))
  const observer = new QueryObserver(client, { queryKey: ['/api/versions'], queryFn })
  const leave = observer.subscribe(() => undefined)
  const shown = () => observer.getCurrentResult().data

  // However often it changes, the first response is shown.
  for (let times = 0; times < 3; times += 1) announceChange('/api/versions')
  answers[0]?.([])
  await expect.poll(shown).toEqual([])
  await expect.poll(() => answers.length).toBe(2)
  answers.at(-1)?.(['the first version'])
  await expect.poll(shown).toEqual(['the first version'])

  announceChange('/api/versions')
  await expect.poll(() => answers.length).toBe(3)
  expect(shown()).toEqual(['the first version'])
  answers[2]?.(['the second version'])
  await expect.poll(shown).toEqual(['the second version'])
  leave()
  end()
})
