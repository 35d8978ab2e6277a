import { afterEach, beforeEach, expect, test } from 'vitest'
import { onDataChanged } from '#app/platform/browser/data-changed.ts'
import { createQueryClient, followChanges } from '#app/platform/browser/query-client.tsx'
import { dismissToast, listToasts } from '#app/ui/toast.ts'
import { tellOutcome } from './use-enquiry.tsx'
import type { EnquiryReply } from './send-enquiry.ts'

const received: EnquiryReply = { kind: 'received', receipt: { id: '0197', reference: 'W-7', callUrl: '/book' } }
const notReceived: EnquiryReply[] = [
  { kind: 'refused', errors: { email: 'Invalid email address' } },
  { kind: 'failed', reason: 'You are offline.' },
]

let changed: string[] = []
let end: () => void

beforeEach(() => {
  changed = []
  end = onDataChanged((prefix) => changed.push(prefix))
})
afterEach(() => {
  end()
  dismissToast()
})

test('an enquiry that has arrived is announced to the lists of contacts and to their figures', () => {
  const client = createQueryClient(() => undefined)
  const unfollow = followChanges(client)
  const lists = ['/api/contacts?limit=50', '/api/leads/summary']
  for (const url of [...lists, '/api/consultations']) client.setQueryData([url], [])

  tellOutcome('contact', received)
  expect(changed).toEqual(['/api/contacts', '/api/leads'])
  expect([...lists, '/api/consultations'].map((url) => client.getQueryState([url])?.isInvalidated)).toEqual([true, true, false])
  expect(listToasts()[0]).toMatchObject({ title: 'Message Sent Successfully!', open: true })
  unfollow()
})

test.each(notReceived)('one that has not arrived ($kind) is not: its author is told, and every list stays as it is', (answer) => {
  tellOutcome('hire', answer)
  expect(changed).toEqual([])
  expect(listToasts()[0]).toMatchObject({ title: 'Error sending message', look: 'danger', open: true })
})
