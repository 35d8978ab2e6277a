import { allow, may } from '#app/access.server.ts'
import { perVisitor, type Api } from '#app/platform/http/http.server.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { findPosts } from '#app/blog/posts/post-list.server.ts'
import { sectionNames, sectionTexts } from '#app/content/settings/sections.server.ts'
import type { DatasetVisitor } from '#app/datasets/catalog/access.server.ts'
import { viewedMembershipOf } from '#app/organizations/organization/membership.server.ts'
import { listOrganizations } from '#app/organizations/admin/staff-organization.server.ts'
import { findProposals } from '#app/billing/admin/find-proposals.server.ts'
import { listInvoices, listOrders } from '#app/billing/admin/desk-list.server.ts'
import { listProducts } from '#app/datasets/catalog/listing.server.ts'
import { findContacts } from '#app/leads/list/lead-list.server.ts'
import { listRedirects } from '#app/redirects/rules/redirect-list.server.ts'
import { type SearchHit, searchHits, searchQuery } from './search.ts'

/** Hits of each kind. */
const MOST = 5

/** Searches everything that the role may read: customers find datasets; staff also leads, posts, redirects, organizations, orders, invoices, proposals and settings; owners also users. */
export const searchApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get('/api/search', {
    schema: {
      summary: 'Search leads, posts, datasets, redirects, users, organizations, orders, invoices, proposals and settings, by role',
      querystring: searchQuery,
      response: { 200: searchHits },
    },
    config: { limit: perVisitor('search', 120, '1 minutes') },
    async handler({ requestContext, query: { q } }) {
      const currentUser = await allow(requestContext, 'workspace.enter')
      const found = await Promise.all([
        may(currentUser, 'leads.read') ? findLeads(q) : [],
        may(currentUser, 'posts.write') ? findWrittenPosts(q) : [],
        findDatasets(q, { ...currentUser, organization: await viewedMembershipOf(requestContext, currentUser) }),
        may(currentUser, 'redirects.write') ? findRules(q) : [],
        may(currentUser, 'users.manage') ? findUsers(q) : [],
        may(currentUser, 'organizations.manage') ? findCompanies(q) : [],
        may(currentUser, 'billing.read') ? findBilling(q) : [],
      ])
      const settings = may(currentUser, 'settings.read') ? findSettings(q) : []
      return { hits: [...found.flat(), ...settings] }
    },
  })
}

async function findLeads(q: string): Promise<SearchHit[]> {
  const { items } = await findContacts({ q, sort: '-createdAt', limit: MOST })
  return items.map(({ reference, name, email, company }) => ({
    kind: 'Lead',
    title: name,
    detail: [reference, company, email].filter(Boolean).join(' · '),
    to: `/leads/${reference}`,
  }))
}

async function findWrittenPosts(q: string): Promise<SearchHit[]> {
  const { items } = await findPosts({ q, page: 1, limit: MOST, onlyPublic: false })
  return items.map(({ id, title, slug }) => ({ kind: 'Post', title, detail: `/blog/${slug}`, to: `/admin/blog?edit=${id}` }))
}

async function findDatasets(q: string, person: DatasetVisitor): Promise<SearchHit[]> {
  const products = await listProducts(person)
  return products
    .filter(({ name, description, category }) => hasWords(`${name} ${category} ${description}`, q))
    .slice(0, MOST)
    .map(({ slug, name, category }) => ({ kind: 'Dataset', title: name, detail: category, to: `/data-marketplace/${slug}` }))
}

async function findRules(q: string): Promise<SearchHit[]> {
  const redirects = await listRedirects()
  return redirects
    .filter(({ fromPath, toPath, description }) => hasWords(`${fromPath} ${toPath} ${description ?? ''}`, q))
    .slice(0, MOST)
    .map(({ fromPath, toPath }) => ({
      kind: 'Redirect',
      title: fromPath,
      detail: toPath,
      to: `/admin/redirects?q=${encodeURIComponent(fromPath)}`,
    }))
}

async function findUsers(q: string): Promise<SearchHit[]> {
  const { users } = await directory.listUsers({ search: q, limit: MOST })
  return users.map(({ id, name, email }) => ({
    kind: 'User',
    title: name ?? email ?? 'No name',
    detail: name ? (email ?? '') : '',
    to: `/admin/users?user=${id}`,
  }))
}

async function findCompanies(q: string): Promise<SearchHit[]> {
  const { organizations } = await listOrganizations({ q, limit: MOST })
  return organizations.map(({ reference, name }) => ({
    kind: 'Organization',
    title: name,
    detail: reference,
    to: `/admin/organizations/${reference}`,
  }))
}

async function findBilling(q: string): Promise<SearchHit[]> {
  const [orders, invoices, proposals] = await Promise.all([
    listOrders({ q, limit: MOST }),
    listInvoices({ q, limit: MOST }),
    findProposals(q, MOST),
  ])
  return [
    ...orders.rows.map(({ reference, title, organization }): SearchHit => ({
      kind: 'Order',
      title: reference,
      detail: [title, organization.name].join(' · '),
      to: `/admin/billing/orders/${reference}`,
    })),
    ...invoices.rows.map(({ number, order, organization }): SearchHit => ({
      kind: 'Invoice',
      title: number,
      detail: [order, organization.name].join(' · '),
      to: `/admin/billing/orders/${order}#documents`,
    })),
    ...proposals.map(({ reference, title, lead }): SearchHit => ({
      kind: 'Proposal',
      title: reference,
      detail: title,
      to: `/leads/${lead}/proposal`,
    })),
  ]
}

function findSettings(q: string): SearchHit[] {
  return sectionNames
    .map((section) => ({ section, ...sectionTexts[section] }))
    .filter(({ title, about }) => hasWords(`${title} ${about}`, q))
    .slice(0, MOST)
    .map(({ section, title, about }) => ({ kind: 'Setting', title, detail: about, to: `/admin/settings?section=${section}` }))
}

function hasWords(text: string, q: string): boolean {
  const lower = text.toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}
