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
