import { z } from 'zod'
import { allow, allowFresh } from '#app/access.server.ts'
import { allowIn } from '#app/organizations/organization/membership.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { apiKey, keyBody, madeKey, organizationKey, quotaBody, rotation } from './api-key.ts'
import { makeKey, restoreOrganizationKey, revokeOrganizationKey, rotateKey, shareQuota } from './api-key.server.ts'
import { serviceKeys } from './key-holding.server.ts'
import { listOrganizationKeys } from './key-list.server.ts'

const params = z.object({ id: z.string().max(40, 'There is no such organization.') })
const one = z.object({ ...params.shape, keyId: z.uuid('Invalid key id.') })
const tags = ['keys']
const bodyLimit = 16 * 1024

/** The keys of an organization, for its admins: those of its members, and service keys, which outlive people. */
export const organizationKeyApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get('/api/organizations/:id/keys', {
    schema: { summary: 'List the API keys of an organization', tags, params, response: { 200: z.array(organizationKey) } },
    handler: async ({ requestContext, params: { id } }) =>
      listOrganizationKeys((await allowIn(requestContext, id, 'manage')).organization.id),
  })

  app.post('/api/organizations/:id/keys', {
    schema: {
      summary: 'Create a service key of an organization',
      description: 'It keeps working when its maker leaves. Only this response contains the key itself.',
      tags,
      params,
      body: keyBody,
      response: { 201: madeKey },
    },
    bodyLimit,
    async handler({ requestContext, params: { id }, body }, reply) {
      const { holder, actor } = await allowService(requestContext, id)
      return reply.status(201).send(await makeKey(holder, body, actor))
    },
  })

  app.post('/api/organizations/:id/keys/:keyId/rotate', {
    schema: {
      summary: 'Rotate a service key',
      description: 'The old key keeps working for `overlapHours`. Only this response contains the new one.',
      tags,
      params: one,
      body: rotation,
      response: { 201: madeKey },
    },
    bodyLimit,
    async handler({ requestContext, params: { id, keyId }, body }, reply) {
      const { holder, actor } = await allowService(requestContext, id)
      return reply.status(201).send((await rotateKey(holder, keyId, body.overlapHours, actor)) ?? absent())
    },
  })

  app.patch('/api/organizations/:id/keys/:keyId', {
    schema: {
      summary: 'Set the share of a key in the quota of its organization',
      tags,
      params: one,
      body: quotaBody,
      response: { 200: apiKey },
    },
    bodyLimit,
    async handler({ requestContext, params: { id, keyId }, body }) {
      const { organization, actor } = await allowIn(requestContext, id, 'manage')
      return (await shareQuota(organization.id, keyId, body.monthlyQuota, actor)) ?? absent()
    },
  })

  app.delete('/api/organizations/:id/keys/:keyId', {
    schema: { summary: 'Revoke a key of an organization', tags, params: one, response: { 204: z.null() } },
    async handler({ requestContext, params: { id, keyId } }, reply) {
      const { organization, actor } = await allowIn(requestContext, id, 'manage')
      if (!(await revokeOrganizationKey(organization.id, keyId, actor))) absent()
      return reply.status(204).send(null)
    },
  })

  app.post('/api/organizations/:id/keys/:keyId/restore', {
    schema: {
      summary: 'Undo the revocation of a key of an organization',
      description: 'Possible for 30 seconds, for the person who revoked it.',
      tags,
      params: one,
      response: { 200: apiKey },
    },
    async handler({ requestContext, params: { id, keyId } }) {
      const { organization, actor } = await allowIn(requestContext, id, 'manage')
      return (await restoreOrganizationKey(organization.id, keyId, actor)) ?? absent()
    },
  })
}

/** A company alone has service keys: a person alone needs none. */
async function allowService(requestContext: RequestContext, id: string) {
  await allowFresh(requestContext, 'workspace.enter')
  const { organization, actor } = await allowIn(requestContext, id, 'manage')
  if (organization.isPersonal) stop('conflict', 'Only the organization of a company has service keys.', { code: 'personal_organization' })
  return { holder: serviceKeys(organization.id, actor.id), actor }
}

function absent(): never {
  return stop('notFound', 'There is no such key.')
}
