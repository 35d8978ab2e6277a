import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { findMember } from '#app/organizations/organization/membership.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { entityTag, expectedVersion } from '#app/platform/http/entity-tag.ts'
import { findDetail, listProducts } from './listing.server.ts'
import { PRODUCTS } from './addresses.ts'
import { changedProducts, PRODUCT_BULK, productBulk } from './product-bulk.ts'
import { changeProducts } from './product-bulk.server.ts'
import { dataProduct, productLimits, productBody, productDetail, type StaffProduct, staffProduct } from './product.ts'
import { changeProduct, createProduct, listStaffProducts, orderProducts, removeProduct, restoreProduct } from './product.server.ts'
import { findCatalogEntry } from './published-product.server.ts'

const tags = ['data marketplace']
const unknown = () => stop('notFound', 'There is no such product.')
const byName = z.object({ idOrSlug: z.string().max(productLimits.slug, 'There is no such product.') })
/** In bytes: two thousand column descriptions with every character escaped. */
const bodyLimit = 4 * 1024 * 1024

/** Data products: published ones for everyone, all of them for staff. */
export const dataProductApi: Api = async (app) => {
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

  app.get(PRODUCTS, {
    schema: { summary: 'List published data products', tags, response: { 200: z.array(dataProduct) } },
    config: { limit: perVisitor('data-products', 300, '1 minutes') },
    handler: async ({ requestContext }) => listProducts(await findMember(requestContext)),
  })

  app.get(`${PRODUCTS}/:idOrSlug`, {
    schema: {
      summary: 'Read one data product: its columns, files and versions',
      tags,
      params: byName,
      response: { 200: productDetail },
    },
    config: { limit: perVisitor('data-products', 300, '1 minutes') },
    handler: async ({ requestContext, params }) => (await findDetail(params.idOrSlug, await findMember(requestContext))) ?? unknown(),
  })

  app.register(writes)
}

const writes: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }) => void (await allow(requestContext, 'products.write')))

  app.get('/api/admin/data-products', {
    schema: { summary: 'List all data products, including hidden ones', tags, response: { 200: z.array(staffProduct) } },
    handler: async () => listStaffProducts(),
  })

  app.post(PRODUCTS, {
    schema: { summary: 'Create a data product without data', tags, body: productBody, response: { 201: staffProduct } },
    bodyLimit,
    handler: async ({ requestContext, body }, reply) =>
      answer(reply.status(201), await createProduct(body, await allow(requestContext, 'products.write'))),
  })

  app.put(`${PRODUCTS}/:idOrSlug`, {
    schema: {
      summary: 'Change a data product; If-Match is the version that you loaded',
      tags,
      params: byName,
      body: productBody,
      response: { 200: staffProduct },
    },
    bodyLimit,
    async handler({ requestContext, params, body, headers }, reply) {
      const editor = await allow(requestContext, 'products.write')
      return answer(
        reply,
        (await changeProduct(await idOf(params.idOrSlug), body, expectedVersion(headers['if-match']), editor)) ?? unknown(),
      )
    },
  })

  app.delete(`${PRODUCTS}/:idOrSlug`, {
    schema: { summary: 'Remove a data product; it can be restored for 30 days', tags, params: byName, response: { 204: z.null() } },
    async handler({ requestContext, params, headers }, reply) {
      const by = await allow(requestContext, 'products.write')
      if (!(await removeProduct(await idOf(params.idOrSlug), { expected: expectedVersion(headers['if-match']), by }))) unknown()
      return reply.status(204).send(null)
    },
  })

  app.post(`${PRODUCTS}/:id/restore`, {
    schema: {
      summary: 'Undo the removal of a data product',
      tags,
      params: z.object({ id: z.uuid('There is no such product.') }),
      response: { 200: staffProduct },
    },
    handler: async ({ requestContext, params }, reply) =>
      answer(reply, (await restoreProduct(params.id, await allow(requestContext, 'products.write'))) ?? unknown()),
  })

  app.post(PRODUCT_BULK, {
    schema: {
      summary: 'Publish, hide, delete or restore several data products',
      tags,
      body: productBulk,
      response: { 200: changedProducts },
    },
    handler: async ({ requestContext, body }) => ({ ids: await changeProducts(body, await allow(requestContext, 'products.write')) }),
  })

  app.patch(`${PRODUCTS}/order`, {
    schema: {
      summary: 'Reorder the catalog: the ids of all products',
      tags,
      body: z.object({ ids: z.array(z.uuid('There is no such product.')).max(1000) }),
      response: { 204: z.null() },
    },
    async handler({ body }, reply) {
      await orderProducts(body.ids)
      return reply.status(204).send(null)
    },
  })
}

async function idOf(idOrSlug: string): Promise<string> {
  return (await findCatalogEntry(idOrSlug, { hidden: true }))?.product.id ?? unknown()
}

function answer(reply: FastifyReply, product: StaffProduct): StaffProduct {
  reply.header('etag', entityTag(product.version))
  return product
}
