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

  announceChange('/api/versions')
  await expect.poll(() => answers.length).toBe(2)
  answers[0]?.([])
  answers[1]?.(['the first version'])
  await expect.poll(shown).toEqual(['the first version'])

  announceChange('/api/versions')
  await expect.poll(() => answers.length).toBe(3)
  expect(shown()).toEqual(['the first version'])
  answers[2]?.(['the second version'])
  await expect.poll(shown).toEqual(['the second version'])
  leave()
  end()
})
