import { expect } from 'vitest'
import { z } from 'zod'
import { invitation } from '#app/organizations/members/member.ts'
import { organization, ownOrganization, type MemberRole } from '#app/organizations/organization/organization.ts'
import { domain } from '#app/organizations/domains/domain.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { jobKinds } from '#app/platform/jobs.server.ts'
import { txtRecords } from '#app/organizations/domains/txt-record.server.ts'
import { makeDataset, makeProduct, signIn, type SignedIn } from './factories.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The DNS of the tests. */
export const records = new Map<string, string[] | Error>()
txtRecords.findTexts = async (name) => {
  const given = records.get(name) ?? Object.assign(new Error('none'), { code: 'ENOTFOUND' })
  if (given instanceof Error) throw given
  return given
}

/** Requests of people to the API of organizations. */
export function organizationsOf(app: Pick<Http, 'inject'>) {
  const call = (who: SignedIn, method: Method, url: string, payload?: object, organizationId?: string) =>
    app.inject({
      method,
      url,
      headers: { ...who.headers, ...(organizationId && { organization: organizationId }) },
      ...(payload && { payload }),
    })
  const openInvitations = async (admin: SignedIn, id: string) =>
    z.array(invitation).parse((await call(admin, 'GET', `/api/organizations/${id}/invitations`)).json())
  const invite = (admin: SignedIn, id: string, email: string, role: MemberRole = 'member') =>
    call(admin, 'POST', `/api/organizations/${id}/invitations`, { email, role })
  const added = async (admin: SignedIn, id: string, name: string) => {
    const reply = await call(admin, 'POST', `/api/organizations/${id}/domains`, { domain: name })
    expect(reply.statusCode).toBe(201)
    const made = z
      .array(domain)
      .parse(reply.json())
      .find((each) => each.domain === name)
    if (!made) throw new Error('The domain was not added.')
    const place = `/api/organizations/${id}/domains/${made.id}`
    return { ...made, place, check: () => call(admin, 'POST', `${place}/check`) }
  }
  return {
    call,
    /** A domain that is not proven yet. */
    added,
    /** Returns the name of a proven domain. */
    proven: async (admin: SignedIn, id: string): Promise<string> => {
      const name = `acme-${newId()}.example`
      const { challenge, check } = await added(admin, id, name)
      records.set(name, ['v=spf1 -all', challenge])
      expect((await check()).statusCode).toBe(200)
      return name
    },
    domainsOf: async (who: SignedIn, id: string) =>
      z.array(domain).parse((await call(who, 'GET', `/api/organizations/${id}/domains`)).json()),
    invite,
    openInvitations,
    found: async (founder: SignedIn, given: object = {}) => {
      const reply = await call(founder, 'POST', '/api/organizations', { name: 'Acme Retail', ...given })
      expect(reply.statusCode).toBe(201)
      return organization.parse(reply.json())
    },
    accept: (person: SignedIn, invitationId: string, body: object = {}) =>
      call(person, 'POST', `/api/organization-invitations/${invitationId}/accept`, body),
    ownOf: async (who: SignedIn) => z.array(ownOrganization).parse((await call(who, 'GET', '/api/organizations')).json()),
    /** Returns the id of the invitation. */
    invited: async (admin: SignedIn, id: string, email: string): Promise<string> => {
      await invite(admin, id, email)
      const list = await openInvitations(admin, id)
      return list.find((each) => each.email === email)?.id ?? ''
    },
  }
}

/** A new person, or this one, in an organization. */
export async function join(id: string, role: MemberRole, person?: SignedIn): Promise<SignedIn> {
  const joined = person ?? (await signIn())
  await db.insertInto('organizationMembers').values({ organizationId: id, userId: joined.user.id, role }).execute()
  return joined
}

export async function paidDataset() {
  const product = await makeProduct({ isFree: false, priceCents: 14_900 })
  await makeDataset(product, 'shop,price\nNorth,1.50\nSouth,2.25\n')
  return product
}

export const codeOf = (reply: { json: () => { code?: string } }) => reply.json().code

export const runJob = (kind: string, payload: unknown) =>
  jobKinds()
    .get(kind)
    ?.run(payload, { id: newId(), attempt: 1, signal: AbortSignal.timeout(10_000) })

/** The notifications that are about to be told, newest last. */
export async function noticesAbout(subjectId: string) {
  const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'notifications.tell').orderBy('id').execute()
  const notice = z.object({
    kind: z.string(),
    title: z.string(),
    link: z.string(),
    subjectId: z.string().optional(),
    to: z.unknown(),
    body: z.string().optional(),
    by: z.string().optional(),
  })
  return jobs.map(({ payload }) => notice.parse(payload)).filter((each) => each.subjectId === subjectId)
}

export const eventsOf = async (subjectId: string) =>
  (await db.selectFrom('auditEvents').select('action').where('subjectId', '=', subjectId).orderBy('id').execute()).map(
    ({ action }) => action,
  )
