import { allow } from '#app/access.server.ts'
import { allowMember } from '#app/organizations/organization/membership.server.ts'
import { mayIn } from '#app/organizations/organization/organization.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { OWN_PROPOSALS, ownProposals } from './own-proposal.ts'
import { listOwnProposals } from './own-proposal.server.ts'

/** The proposals of an organization, for its members. */
export const ownProposalApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get(OWN_PROPOSALS, {
    schema: {
      summary: 'List the proposals to your organization, newest first',
      description: 'Members who may not buy see no amounts.',
      tags: ['account'],
      response: { 200: ownProposals },
    },
    config: { limit: perVisitor('own-proposals', 300, '1 minutes') },
    async handler({ requestContext }) {
      const { organization, id } = await allowMember(requestContext, 'workspace.enter')
      return { proposals: await listOwnProposals({ organization, userId: id, mayBuy: mayIn(organization.role, 'buy') }) }
    },
  })
}
