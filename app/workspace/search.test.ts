import { describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeContact, signIn } from '#test/factories.ts'

const app = await startEndpoints()
const [customer, staff, owner] = [await signIn('customer'), await signIn('staff'), await signIn('owner')]

const search = async (q: string, headers: Record<string, string>) => app.inject({ url: `/api/search?q=${encodeURIComponent(q)}`, headers })
const found = async (q: string, headers: Record<string, string>): Promise<{ kind: string; title: string; to: string }[]> =>
  (await search(q, headers)).json().hits

describe('happy', () => {
  test('staff find leads and redirects by a part of them, with the path that opens each', async () => {
    const contact = await makeContact({ name: 'Zenobia Quill' })
    await app.inject({
      method: 'POST',
      url: '/api/redirects',
      headers: staff.headers,
      payload: { fromPath: '/quill-prices', toPath: '/about' },
    })
    expect(await found('quill', staff.headers)).toEqual([
      expect.objectContaining({ kind: 'Lead', title: 'Zenobia Quill', to: `/leads/${contact.reference}` }),
      expect.objectContaining({ kind: 'Redirect', title: '/quill-prices', to: '/admin/redirects?q=%2Fquill-prices' }),
    ])
    expect(await found(contact.reference.toLowerCase(), staff.headers)).toEqual([
      expect.objectContaining({ kind: 'Lead', title: 'Zenobia Quill', to: `/leads/${contact.reference}` }),
    ])
    expect(await found('100%_', staff.headers)).toEqual([])
  })

  test('an owner finds people by their address', async () => {
    const { email } = await db.selectFrom('users').select('email').where('id', '=', staff.user.id).executeTakeFirstOrThrow()
    expect(await found(email ?? '', owner.headers)).toEqual([
      expect.objectContaining({ kind: 'User', to: `/admin/users?user=${staff.user.id}` }),
    ])
    expect(await found(email ?? '', staff.headers)).toEqual([])
  })
})

test('staff find a section of the settings by its title or what it is about, customers none', async () => {
  expect(await found('accent', staff.headers)).toEqual([
    expect.objectContaining({ kind: 'Setting', title: 'Branding', to: '/admin/settings?section=branding' }),
  ])
  expect(await found('accent', customer.headers)).toEqual([])
})

test('a search is for 1 to 100 characters', async () => {
  for (const q of ['', '   ', 'x'.repeat(101)]) expect((await search(q, staff.headers)).statusCode).toBe(422)
})

test('a customer finds no lead, redirect or user, and a stranger nothing', async () => {
  expect(await found('quill', customer.headers)).toEqual([])
  expect((await search('quill', {})).statusCode).toBe(401)
})
