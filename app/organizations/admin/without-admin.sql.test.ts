import { beforeEach, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { startEndpoints } from '#test/app.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import { join, noticesAbout, runJob, organizationsOf } from '#test/organizations.ts'

const app = await startEndpoints()
const { call, found } = organizationsOf(app)
const staff = await signIn('staff')
beforeEach(closeLimits)

const run = () => runJob('organizations.without-admin', null)
const ban = (who: SignedIn, until: Date | null) =>
  db.updateTable('users').set({ bannedUntil: until }).where('id', '=', who.user.id).execute()

test('staff are told once, and again only after there was an admin in between', async () => {
  const admin = await signIn()
  const { id, reference } = await found(admin)
  await join(id, 'member')
  await run()
  expect(await noticesAbout(id)).toEqual([])
  await ban(admin, new Date(Date.now() + 86_400_000))
  await run()
  await run()
  expect(await noticesAbout(id)).toMatchObject([
    { kind: 'organization_admin', link: `/admin/organizations/${reference}`, to: { roles: ['staff', 'owner'] } },
  ])
  await ban(admin, null)
  await run()
  await db.deleteFrom('users').where('id', '=', admin.user.id).execute()
  await run()
  expect(await noticesAbout(id)).toHaveLength(2)
})

test('a company that staff have just added is no news, and neither is a closed one', async () => {
  const made = (await call(staff, 'POST', '/api/admin/organizations', { name: 'New Client' })).json()
  const admin = await signIn()
  const { id } = await found(admin)
  await call(admin, 'DELETE', `/api/organizations/${id}`)
  await ban(admin, new Date(Date.now() + 86_400_000))
  await run()
  expect(await noticesAbout(made.id)).toEqual([])
  expect(await noticesAbout(id)).toEqual([])
})
