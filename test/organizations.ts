import { expect } from 'vitest'
import { z } from 'zod'
import { invitation } from '#app/organizations/members/member.ts'
import { organization, ownOrganization, type MemberRole } from '#app/organizations/organization/organization.ts'
import { db } from '#app/platform/database/db.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { makeDataset, makeProduct, signIn, type SignedIn } from './factories.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What people do with organizations through the API. */
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
  return {
    call,
    invite,
    openInvitations,
    async found(founder: SignedIn, given: object = {}) {
      const reply = await call(founder, 'POST', '/api/organizations', { name: 'Acme Retail', ...given })
      expect(reply.statusCode).toBe(201)
      return organization.parse(reply.json())
    },
    accept: (person: SignedIn, invitationId: string, body: object = {}) =>
      call(person, 'POST', `/api/organization-invitations/${invitationId}/accept`, body),
    ownOf: async (who: SignedIn) => z.array(ownOrganization).parse((await call(who, 'GET', '/api/organizations')).json()),
    /** Returns the id of the invitation. */
    async invited(admin: SignedIn, id: string, email: string): Promise<string> {
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
